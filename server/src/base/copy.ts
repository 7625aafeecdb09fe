export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * A copy to write into before anybody else sees it. A spread with keys that the original lacks takes V8 more than a
 * microsecond, 40 times as long, which counts where there is one for each of thousands of Pods.
 */
export const copyOf = <T extends object>(original: T): Mutable<T> => ({ ...original });
