/** The nodes in classes, so that what is the same for all nodes of a class is worked out once. */
export interface NodeClasses {
  /** By `NodeInfo.index`: the number of its class. */
  readonly of: Int32Array;
  /** By class: how many of the nodes that fit are in it. */
  readonly sizes: readonly number[];
  /** Puts a node into a class. */
  move(index: number, to: number): void;
  /** Counts the nodes that fit; another list when they are others. */
  count(at: Int32Array): void;
}

/** All nodes begin in class 0. */
export function nodeClasses(length: number): NodeClasses {
  const of = new Int32Array(length);
  const isIn = new Uint8Array(length);
  const sizes: number[] = [0];
  let counted: Int32Array | undefined;
  return {
    of,
    sizes,
    move(index, to) {
      while (sizes.length <= to) sizes.push(0);
      if (isIn[index] === 1) {
        sizes[of[index]!]! -= 1;
        sizes[to]! += 1;
      }
      of[index] = to;
    },
    count(at) {
      if (at === counted) return;
      counted = at;
      isIn.fill(0);
      sizes.fill(0);
      for (let i = 0; i < at.length; i++) {
        isIn[at[i]!] = 1;
        sizes[of[at[i]!]!]! += 1;
      }
    },
  };
}

/** What a plugin gives the nodes that fit, normalized and times its weight. */
export interface ClassScores {
  /** By `NodeInfo.index`. */
  readonly classes: Int32Array;
  /** By class. */
  readonly worth: readonly number[];
}
