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

/** On the record of a student: papers that were brought from elsewhere, and whether they are genuine. For staff who may see them. */
export function ExternalPapersOf({ id }: { id: number }) {
  return useMe().can('access_externalPaper') ? <Papers id={id} /> : null
}

function Papers({ id }: { id: number }) {
  const t = useT('certificates')
  const say = useLabel('certificates')
  const me = useMe()
  const { most, more } = useMost(20, MOST_OF_PAGE)
  const { data, error, refetch } = useCall(calls.list, {
    body: { perPage: most, filters: { student_id: id } },
  })
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
            to={`/certificates/external/add?student=${id}` as never}
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
