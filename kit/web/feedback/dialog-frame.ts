/** Fetched when a dialog may open; see `Dialog`. */
export { Modal as default } from '@mantine/core'
