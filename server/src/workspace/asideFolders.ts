/** Names of folders that by convention hold no deployment: data of tests, examples, tools of a build, other people's code. */
const ASIDE =
  /^(?:tests?|testdata|test-data|__tests__|e2e|conformance|\.?(?:chainsaw|kyverno)-tests?(?:-.*)?|fixtures?|mocks?|golden|samples?|examples?|docs?|hack|make|vendor|third[_-]party|node_modules)$/i;

/** Whether the name of a folder says that its files are no deployment. */
export const isAsideFolder = (name: string): boolean => ASIDE.test(name);
