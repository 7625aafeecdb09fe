/** A part of the cluster or of Pods that a scenario may have. */
export const ASPECTS = [
  'taints',
  'nodeAffinity',
  'ports',
  'resources',
  'podLevel',
  'volumes',
  'storage',
  'spread',
  'defaultSpread',
  'interPod',
  'images',
  'priorities',
  'budgets',
  'gates',
  'unschedulable',
  'profiles',
  'features',
  'terminating',
  'nominated',
  'namespaces',
  'crowded',
  'resized',
] as const;

export type Aspect = (typeof ASPECTS)[number];

/** The aspects that every scenario of a theme has; others occur now and then. */
export const THEMES: Readonly<Record<string, readonly Aspect[]>> = {
  taints: ['taints', 'unschedulable'],
  nodeAffinity: ['nodeAffinity'],
  ports: ['ports'],
  resources: ['resources', 'podLevel'],
  scoring: ['resources', 'profiles', 'images'],
  volumes: ['volumes'],
  storage: ['volumes', 'storage'],
  spread: ['spread', 'taints', 'nodeAffinity'],
  defaultSpread: ['defaultSpread', 'profiles'],
  interPod: ['interPod', 'namespaces'],
  preemption: ['priorities', 'crowded', 'budgets'],
  contested: ['priorities', 'crowded', 'interPod', 'spread', 'ports'],
  nominated: ['priorities', 'crowded', 'nominated', 'terminating'],
  volumesContested: ['priorities', 'crowded', 'volumes'],
  profiles: ['profiles', 'taints', 'nodeAffinity', 'gates'],
  features: ['features', 'gates', 'unschedulable'],
  resized: ['resized', 'podLevel', 'crowded', 'priorities'],
  mix: ['taints', 'nodeAffinity', 'resources', 'spread', 'interPod', 'priorities', 'volumes', 'images'],
};
