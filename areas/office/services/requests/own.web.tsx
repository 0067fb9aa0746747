import { Button } from '@mantine/core'
import { IconClock, IconPlus } from '@tabler/icons-react'
import { resourceCalls } from '#kit/contract/index.ts'
import type { Row } from '#kit/contract/resource.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Empty, Failed } from '#kit/web/feedback/index.ts'
import { MoreRows } from '#kit/web/feedback/more-rows.tsx'
import { formatDate, formatMoney, nameOf, problemText, useT } from '#kit/web/i18n/index.ts'
import { dayOf } from '#kit/contract/day.ts'
import { Link, to, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { StateBadge } from '#kit/web/workflow/index.ts'
import { useState } from 'react'
import { serviceKindCalls, type OfferedService } from '../kinds/kind.contract.ts'
import { service, serviceFlow } from './service.contract.ts'
import { ShownService } from './show.web.tsx'
import css from '../services.module.css'

const calls = resourceCalls(service)
type Asked = Row<typeof service>
const SOME = 20

/** What a student or a member of staff asks for: the own requests and where each stands, and what may be asked for. */
export function OwnServices() {
  const t = useT('services')
  const id = Number(useSearchParams()[0].get('id')) || null
  if (id !== null) return <ShownService id={id} />
  return (
    <Page title={t('services')} subtitle={t('services_text')}>
      <Stack>
        <OwnRequests />
        <Offered />
      </Stack>
    </Page>
  )
}

function OwnRequests() {
  const t = useT('services')
  const [most, setMost] = useState(SOME)
  const { data, error, refetch } = useCall(calls.list, {
    body: { perPage: most, order_by: 'created_at', order_direction: 'desc', filters: { mine: true } } as never,
  })
  const rows = data?.data as readonly Asked[] | undefined
  if (error && !rows) return <Failed error={error} retry={() => void refetch()} />
  if (!rows) return <Bone height={120} />
  if (!rows.length) return null
  return (
    <Card title={t('my_requests')}>
      <ul className={css.requests}>
        {rows.map((row) => (
          <li key={row.id}>
            <Link to={to('/services/:id', { id: row.id })}>
              <span>
                <strong>{row.kind ? nameOf(row.kind) : '–'}</strong>
                <small>
                  {t('asked_on', { date: formatDate(dayOf(row.created_at!)) })}
                  {row.due_on && ` · ${t('due_by', { date: formatDate(row.due_on) })}`}
                </small>
              </span>
              <StateBadge flow={serviceFlow} state={row.status} />
            </Link>
          </li>
        ))}
      </ul>
      <MoreRows shown={rows.length} total={data?.meta.count ?? 0} onMore={() => setMost(most + SOME)} />
    </Card>
  )
}

function Offered() {
  const t = useT('services')
  const { data, error, refetch } = useCall(serviceKindCalls.index, { query: {} })
  const kinds = data?.data
  if (error && !kinds) return <Failed error={error} retry={() => void refetch()} />
  if (!kinds) return <Bone height={320} />
  if (!kinds.length) return <Empty title={t('nothing_offered')} text={t('nothing_offered_text')} />
  return (
    <section className={css.offered} aria-label={t('offered')}>
      {kinds.map((kind) => (
        <Kind key={kind.id} kind={kind} />
      ))}
    </section>
  )
}

/** One service: what it is, what it costs, how long it usually takes, and why not now. */
function Kind({ kind }: { kind: OfferedService }) {
  const t = useT('services')
  const described = nameOf({ name: kind.description ?? '', name_local: kind.description_local ?? '' })
  return (
    <Card title={nameOf(kind)}>
      <div className={css.kind}>
        {described && <p dir="auto">{described}</p>}
        <p className={css.figures}>
          <strong>{kind.price === 0 ? t('free') : formatMoney(kind.price, kind.currency)}</strong>
          <span>
            <IconClock size={15} aria-hidden /> {t('usual_days', { count: kind.days })}
          </span>
        </p>
        {kind.refused.length > 0 ? (
          kind.refused.map((one) => (
            <p key={one.code} className={css.refused}>
              {problemText(one)}
            </p>
          ))
        ) : (
          <Button
            component={Link}
            to={`/services/add?kind=${kind.id}`}
            variant="default"
            leftSection={<IconPlus size={15} aria-hidden />}
            aria-label={t('ask_for', { name: nameOf(kind) })}
          >
            {t('ask')}
          </Button>
        )}
      </div>
    </Card>
  )
}
