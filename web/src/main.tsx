import { render } from "preact";

import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/widgets.css";
import "./styles/page.css";
import { App } from "./app.tsx";

const place = document.getElementById("app");
if (place) render(<App />, place);
