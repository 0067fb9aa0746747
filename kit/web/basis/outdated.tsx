import { Button } from '@mantine/core'
import { useState } from 'react'
import { basisCalls } from '#kit/contract/basis.ts'
import type { OutdatedChange, OutdatedKind, OutdatedRow } from '#kit/contract/basis.ts'
import { useCall, useChange } from '../api/hooks.ts'
import { act } from '../feedback/act.ts'
import { notify } from '../feedback/notify.tsx'
import { Empty, Failed } from '../feedback/problems.tsx'
import { Code, Name, Status } from '../feedback/words.tsx'
import { useEveryLabel, useT } from '../i18n/catalogue.ts'
import { formatDate } from '../i18n/format.ts'
import { ListFoot } from '../list/list-foot.tsx'
import { Link } from '../router/index.ts'
import { Bone, Card, Stack } from '../shell/card.tsx'
import { askReason } from '../workflow/reason.tsx'
import css from './outdated.module.css'

type Words = OutdatedChange['before']

/** What was decided upon something that has changed since: of everybody within reach, or of one student. */
export function Outdated({
  kind,
  student,
  perPage = 25,
  alone = false,
}: {
  kind?: string
  student?: number
  perPage?: number
  /** It is said already whose they are. */
  alone?: boolean
}) {
  const t = useT('basis')
  const [page, setPage] = useState(1)
  const [size, setSize] = useState(perPage)
  const asked = { page, perPage: size, ...(kind && { kind }), ...(student && { student_id: student }) }
  const { data, error, refetch } = useCall(basisCalls.outdatedDecisions, { body: asked })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={240} />
  if (!data.data.length) return <Empty title={t('none')} text={t('none_text')} />
  const kinds = new Map(data.meta.kinds.map((one) => [one.kind, one]))
  return (
    <Stack>
      <ul className={css.list}>
        {data.data.map((row) => (
          <Line key={`${row.kind} ${row.id}`} row={row} kind={kinds.get(row.kind)} alone={alone} />
        ))}
      </ul>
      {data.meta.count > size && (
        <ListFoot
          count={data.meta.count}
          asked={{ page, perPage: size } as never}
          sortedBy={null}
          onPage={setPage}
          onPageSize={setSize}
        />
      )}
    </Stack>
  )
}

/** The same as a card in the record of a student, or of the own one; nothing where nothing is outdated. */
export default function OutdatedCard({ student }: { student?: number }) {
  const t = useT('basis')
  const { data } = useCall(basisCalls.outdatedDecisions, {
    body: { ...(student && { student_id: student }), perPage: 1 },
  })
  return data?.data.length ? (
    <Card title={t('outdated')} text={t('outdated_text')}>
      <Outdated {...(student && { student })} perPage={10} alone />
    </Card>
  ) : null
}

function Line({ row, kind, alone }: { row: OutdatedRow; kind: OutdatedKind | undefined; alone: boolean }) {
  const t = useT('basis')
  const say = useEveryLabel()
  const { send } = useChange('/outdated-decisions', '/students', '/transfer', '/users/work')
  const label = ({ name, name_local }: NonNullable<Words>) => say([name, name_local])
  const body = { kind: row.kind, ids: [row.id] }
  const renew = () =>
    act({
      ask: {
        title: label(kind!.renew!.label),
        consequence: label(kind!.renew!.consequence),
        action: label(kind!.renew!.label),
      },
      go: () => send(basisCalls.renewOutdated, { body }),
      done: () => t('renewed'),
    })
  const keep = async () => {
    const reason = await askReason({
      title: label(kind!.keep!.label),
      text: label(kind!.keep!.consequence),
      action: label(kind!.keep!.label),
      go: (given) => send(basisCalls.keepOutdated, { body: { ...body, reason: given } }),
    })
    if (reason !== null) notify.done(t('kept'))
  }
  return (
    <li className={css.line}>
      <div className={css.what}>
        <p>
          <Status is="outdated" label={label(row.title)} />
          <Link to={row.link}>
            {row.decision.code && <Code>{row.decision.code}</Code>} <Name row={row.decision} />
          </Link>
        </p>
        {!alone && row.student && (
          <p>
            <Name row={row.student} /> <Code>{row.student.code ?? ''}</Code>
          </p>
        )}
        {row.changes.map((change) => (
          <p key={`${change.fact} ${change.fact_id}`}>
            {change.what && <Code>{change.what.code ?? ''}</Code>}{' '}
            <bdi>{change.before ? label(change.before) : t('nothing')}</bdi>{' '}
            <span aria-label={t('became')} role="img">
              →
            </span>{' '}
            <bdi>{change.now ? label(change.now) : t('nothing')}</bdi>
          </p>
        ))}
        <small>
          {label(row.why)} {t('since', { date: formatDate(row.since) })}{' '}
          {t(
            row.becomes === 'follows'
              ? 'follows'
              : row.decides
                ? 'decide'
                : row.becomes === 'refused'
                  ? 'refused'
                  : 'waits',
          )}
        </small>
      </div>
      {row.abilities.length > 0 && (
        <div className={css.steps}>
          {row.abilities.includes('renew') && (
            <Button size="xs" onClick={() => void renew()}>
              {label(kind!.renew!.label)}
            </Button>
          )}
          {row.abilities.includes('keep') && (
            <Button size="xs" variant="default" onClick={() => void keep()}>
              {label(kind!.keep!.label)}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}
