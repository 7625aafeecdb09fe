// The build puts style sheets into a file of their own.
declare module '*.css';
