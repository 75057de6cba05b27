/** The services that can get the notifications of a stack. */
export const SERVICE_NAMES = ["slack", "telegram", "discord", "pagerduty", "pushover", "email", "webhook"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];
