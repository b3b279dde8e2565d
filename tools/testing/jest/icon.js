// What an import of an icon means in a test: an empty one.
export default ['0 0 16 16', ''];
