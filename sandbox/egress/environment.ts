/** How programs are told of the way out. Pure. */

/** Inside the command's network (launcher/relay.h): below 1024, so that nothing a command starts can be there. */
const PROXY = "http://127.0.0.1:1023";

/** For `ssh -o ProxyCommand=…`: the launcher itself, which dials through the proxy (launcher/dial.c). */
export const DIAL = "/opt/parley/launcher dial %h %p";

/**
 * `ALL_PROXY` names the HTTP side too, although SOCKS5 is served at the same port: some libraries of Python stop with
 * an error when they are shown a SOCKS address that they have no module for.
 */
export const proxyEnvironment: Readonly<Record<string, string>> = {
  http_proxy: PROXY,
  https_proxy: PROXY,
  all_proxy: PROXY,
  HTTP_PROXY: PROXY,
  HTTPS_PROXY: PROXY,
  ALL_PROXY: PROXY,
  no_proxy: "localhost,127.0.0.1,::1",
  NO_PROXY: "localhost,127.0.0.1,::1",
  NODE_USE_ENV_PROXY: "1",
  GIT_SSH_COMMAND: `ssh -o 'ProxyCommand=${DIAL}'`,
};
