import { globSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '..')
const folders = new Map(globSync('areas/*/*', { cwd: ROOT }).map((folder) => [path.basename(folder), folder]))

/** Folder of an area from the root of the repository, `areas/WING/NAME`; undefined where the area has none. */
export const folderOf = (area: string): string | undefined => folders.get(area)
