export const isThorough: boolean;
