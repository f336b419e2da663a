# fiducial_tls: what the module http is built on, OpenSSL and the headers of Boost.Beast and Boost.Asio.
find_package(Boost 1.81 REQUIRED)
find_package(OpenSSL 3 REQUIRED)
add_library(fiducial_tls INTERFACE)
target_link_libraries(fiducial_tls INTERFACE Boost::headers OpenSSL::SSL OpenSSL::Crypto)
# One copy of the libraries' functions, not one a source; no parts of old standards.
target_compile_definitions(fiducial_tls INTERFACE BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_DISABLE_VISIBILITY)
