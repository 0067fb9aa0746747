import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { resourceCalls } from '#kit/contract/index.ts'
import type { Row } from '#kit/contract/resource.ts'
import { useCall } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Failed, Name } from '#kit/web/feedback/index.ts'
import { MOST_OF_PAGE, MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { StateBadge } from '#kit/web/workflow/index.ts'
import { ELSEWHERE_KINDS, elsewhereFlow, externalPaper } from './external.contract.ts'
import css from '../certificates.module.css'

const calls = resourceCalls(externalPaper)
/** Whose papers: of a student, or of somebody who applies. */
interface Whose {
  readonly of: 'student' | 'applicant'
  readonly id: number
}

/** On the record of a student: papers that were brought from elsewhere, and whether they are genuine. For staff who may see them. */
export const ExternalPapersOf = ({ id }: { id: number }) => <Shown of="student" id={id} />
/** The same on the desk's page of an applicant. */
export const ExternalPapersOfApplicant = ({ row }: { row: { readonly id: number } }) => (
  <Shown of="applicant" id={row.id} />
)
/** Beside courses passed elsewhere: what proves them. */
export const ExternalPapersOfTransfer = ({
  student,
  applicant,
}: {
  student: number | null
  applicant: number | null
}) =>
  student !== null ? (
    <Shown of="student" id={student} />
  ) : applicant !== null ? (
    <Shown of="applicant" id={applicant} />
  ) : null

const Shown = (whose: Whose) => (useMe().can('access_externalPaper') ? <Papers {...whose} /> : null)

function Papers({ of, id }: Whose) {
  const t = useT('certificates')
  const say = useLabel('certificates')
  const me = useMe()
  const { most, more } = useMost(20, MOST_OF_PAGE)
  const { data, error, refetch } = useCall(calls.list, { body: { perPage: most, filters: { [`${of}_id`]: id } } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const rows = (data?.data ?? []) as unknown as readonly Row<typeof externalPaper>[]
  const works = me.can('edit_externalPaper')
  if (!rows.length && !works) return null
  return (
    <Card
      title={t('external_papers')}
      aside={
        works && (
          <Button
            component={Link}
            to={`/certificates/external/add?${of}=${id}` as never}
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
          >
            {t('external_register')}
          </Button>
        )
      }
    >
      <ul className={css.papers}>
        {rows.map((row) => (
          <li key={row.id}>
            <Link to={to('/certificates/external/:id', { id: row.id })}>
              {say(ELSEWHERE_KINDS.find(({ value }) => value === row.kind)!.label)}
            </Link>
            <Name row={row.issuer} />
            {row.number && <Code>{row.number}</Code>}
            <StateBadge flow={elsewhereFlow} state={row.status} />
          </li>
        ))}
      </ul>
      <MoreRows shown={rows.length} total={data?.meta.count ?? rows.length} onMore={more} />
    </Card>
  )
}
