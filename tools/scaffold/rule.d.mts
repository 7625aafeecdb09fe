export const ROOMS: Readonly<Record<string, object>>;
