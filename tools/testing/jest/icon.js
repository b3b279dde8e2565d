// Replaces imported icons in tests: an empty one.
export default ['0 0 16 16', ''];
