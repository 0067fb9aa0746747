/** Most files of a message, and most bytes of one of them. */
export const MOST_FILES = 12
export const LARGEST_FILE = 3_000_000
