import type { Row } from '#kit/contract/resource.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { nameOf } from '#kit/web/i18n/index.ts'
import { TrainingParts } from './parts.web.tsx'
import { studentTraining } from './student-training.contract.ts'

type Asked = Row<typeof studentTraining> & {
  training: { name: string; name_local: string } | null
  other_requests?: number
}
/** What is told where it is there alone. */
const WHERE_THERE = new Set([
  'from_week',
  'until_week',
  'wish',
  'own_contact',
  'organisation_id',
  'cv_file_id',
  'weeks',
  'other_requests',
])

/** Requests before the eyes of who decides, and of who asked: interview, reports and assessment stand beneath. */
export default resourceWeb(studentTraining, {
  what: (row: Asked) => <bdi>{row.training ? nameOf(row.training) : (row.own_organisation ?? '–')}</bdi>,
  Beneath: ({ row }: { row: Asked }) => <TrainingParts id={row.id} version={row.version} />,
  // Either a training that is offered or a place that was found.
  tells: (row: Asked, field: string) =>
    field.startsWith('own_') || field === 'training_id' || WHERE_THERE.has(field)
      ? Boolean(row[field as keyof Asked])
      : true,
  // Of several requests it is said what becomes of the others.
  takenBeneath: (row: Asked) => (row.status === 'requested' && row.other_requests ? ['accept'] : []),
} as never)
