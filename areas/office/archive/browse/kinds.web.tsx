import {
  IconFile,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconFolder,
  IconFolderStar,
  IconPhoto,
  IconTable,
} from '@tabler/icons-react'
import type { ResponseOf } from '#kit/contract/index.ts'
import type { treeCalls } from '../tree/tree.contract.ts'

export type ShownEntry = ResponseOf<typeof treeCalls.listArchive>['data'][number]
export type WholeEntry = ResponseOf<typeof treeCalls.getArchive>['data']

const OF_FILES: Readonly<Record<string, typeof IconFile>> = {
  pdf: IconFileTypePdf,
  jpg: IconPhoto,
  png: IconPhoto,
  zip: IconFileZip,
  rar: IconFileZip,
  xlsx: IconTable,
  csv: IconTable,
}
/** What stands before the name of an entry. */
export function KindIcon({ entry: { kind, ext, inherits } }: { entry: Pick<ShownEntry, 'kind' | 'ext' | 'inherits'> }) {
  const Icon =
    kind === 'folder'
      ? inherits
        ? IconFolder
        : IconFolderStar
      : kind === 'page'
        ? IconFileText
        : (OF_FILES[ext ?? ''] ?? IconFile)
  return <Icon size={18} stroke={1.5} aria-hidden style={{ flex: 'none' }} />
}
