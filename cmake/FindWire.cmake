# fiducial_asio: what the module http is built on, the headers of Boost.Beast and Boost.Asio. fiducial_openssl: what the
# module tls takes besides.
find_package(Boost 1.81 REQUIRED)
find_package(OpenSSL 3 REQUIRED)
add_library(fiducial_asio INTERFACE)
target_link_libraries(fiducial_asio INTERFACE Boost::headers)
# One copy of the libraries' functions, not one a source; no parts of old standards.
target_compile_definitions(fiducial_asio INTERFACE BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_DISABLE_VISIBILITY)
add_library(fiducial_openssl INTERFACE)
target_link_libraries(fiducial_openssl INTERFACE fiducial_asio OpenSSL::SSL OpenSSL::Crypto)
