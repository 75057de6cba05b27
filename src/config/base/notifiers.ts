/** The services that can get the notifications of a stack. */
export const NOTIFIERS = ["slack", "telegram", "discord", "pagerduty", "pushover", "email", "webhook"] as const;
export type Notifier = (typeof NOTIFIERS)[number];
