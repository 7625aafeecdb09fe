/** Something that this engine leaves undecided; never the fault of who wrote the expression. */
export class CelUnknown extends Error {}
