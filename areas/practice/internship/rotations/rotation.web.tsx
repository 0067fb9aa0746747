import type { Row } from '#kit/contract/resource.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { formatDate, nameOf } from '#kit/web/i18n/index.ts'
import { rotation } from './rotation.contract.ts'

type Asked = Row<typeof rotation> & { training: { name: string; name_local: string } | null }

/** Rotations before the eyes of who decides, and of who asked: where, and from when. */
export default resourceWeb(rotation, {
  what: (row: Asked) => (
    <bdi>
      {row.training ? nameOf(row.training) : '–'} · {formatDate(row.starts_on)}
    </bdi>
  ),
} as never)
