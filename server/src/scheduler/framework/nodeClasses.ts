/** Nodes grouped into classes, so that values common to a class are computed once. */
export interface NodeClasses {
  /** The class of each node, by `NodeInfo.index`. */
  readonly of: Int32Array;
  /** The number of feasible nodes in each class. */
  readonly sizes: readonly number[];
  /** Moves a node to a class. */
  move(index: number, to: number): void;
  /** Counts the feasible nodes of each class; does nothing when `feasible` is the list of the last call. */
  count(feasible: Int32Array): void;
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
    count(feasible) {
      if (feasible === counted) return;
      counted = feasible;
      isIn.fill(0);
      sizes.fill(0);
      for (let i = 0; i < feasible.length; i++) {
        isIn[feasible[i]!] = 1;
        sizes[of[feasible[i]!]!]! += 1;
      }
    },
  };
}

/** A plugin's scores of the feasible nodes, normalized and weighted. */
export interface ClassScores {
  /** The class of each node, by `NodeInfo.index`. */
  readonly classes: Int32Array;
  /** The score of each class. */
  readonly worth: readonly number[];
}
