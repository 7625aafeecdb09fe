/** Thrown for something that this engine cannot evaluate; never the fault of the expression's author. */
export class CelUnknown extends Error {}
