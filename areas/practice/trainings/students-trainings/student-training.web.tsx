import type { Row } from '#kit/contract/resource.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { nameOf } from '#kit/web/i18n/index.ts'
import { TrainingParts } from './parts.web.tsx'
import { studentTraining } from './student-training.contract.ts'

type Asked = Row<typeof studentTraining> & {
  training: { name: string; name_local: string } | null
  other_requests?: number
}
/** What is told only where there is something. */
const WHERE_THERE = new Set([
  'training_id',
  'from_week',
  'until_week',
  'wish',
  'own_contact',
  'organisation_id',
  'cv_file_id',
  'weeks',
  'other_requests',
])
/** Of a place that was found: it stands beneath, as the place of every training does. */
const BENEATH = new Set(['own_organisation', 'own_starts_on', 'own_ends_on', 'own_weeks'])

/** Requests before the eyes of who decides, and of who asked: interview, reports and assessment stand beneath. */
export default resourceWeb(studentTraining, {
  what: (row: Asked) => <bdi>{row.training ? nameOf(row.training) : (row.own_organisation ?? '–')}</bdi>,
  Beneath: ({ row }: { row: Asked }) => <TrainingParts id={row.id} version={row.version} />,
  tells: (row: Asked, field: string) =>
    !BENEATH.has(field) && (!WHERE_THERE.has(field) || Boolean(row[field as keyof Asked])),
  // Of several requests it is said what becomes of the others.
  takenBeneath: (row: Asked) => (row.status === 'requested' && row.other_requests ? ['accept'] : []),
} as never)
