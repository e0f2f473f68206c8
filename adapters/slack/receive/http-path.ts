/** Path to which Slack sends events, interactions and commands in HTTP mode. */
export const HTTP_PATH = "/slack/events";
