// The scripts of every page. All work without them; they spare loads and give keys.
import "./nav.js";
import "./keys.js";
import "./live.js";
import "./query.js";
import "./palette.js";
import "./share.js";
import "./claims.js";
import "./labelpad.js";
import "./wait.js";
import "./points.js";
