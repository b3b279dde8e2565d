// What an import of a style sheet means in a test: nothing.
export default {};
