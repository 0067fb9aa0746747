import type { Row } from '#kit/contract/resource.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { nameOf } from '#kit/web/i18n/index.ts'
import { TrainingParts } from './parts.web.tsx'
import { studentTraining } from './student-training.contract.ts'

type Asked = Row<typeof studentTraining> & { training: { name: string; name_local: string } | null }

/** Requests before the eyes of who decides, and of who asked: interview, reports and assessment stand beneath. */
export default resourceWeb(studentTraining, {
  what: (row: Asked) => <bdi>{row.training ? nameOf(row.training) : (row.own_organisation ?? '–')}</bdi>,
  Beneath: ({ row }: { row: Asked }) => <TrainingParts id={row.id} version={row.version} />,
} as never)
