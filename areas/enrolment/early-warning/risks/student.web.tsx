import { Button } from '@mantine/core'
import { useState } from 'react'
import { dayOf } from '#kit/contract/day.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Failed, Name, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatInstant, formatNumber, nameOf, problemText, useLabel, useT } from '#kit/web/i18n/index.ts'
import { partDialog } from '#kit/web/later.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import type { ResponseOf } from '#kit/contract/call.ts'
import { CONTACT_OUTCOMES, CONTACT_WAYS, riskCalls, type RiskContact } from './risk.contract.ts'
import { Likely, RiskReasons, RiskLevel } from './parts.web.tsx'
import css from '../early-warning.module.css'

const ContactDialog = partDialog(async () => (await import('./contact-dialog.web.tsx')).ContactDialog)
type Of = ResponseOf<typeof riskCalls.of>['data']
/** What is noted or changed; null: nothing. */
type Noting = { readonly contact: RiskContact | null } | null

/** What stands out of a student, what was done, and what stood before. */
export default function EarlyWarningOfStudent() {
  const t = useT('early-warning')
  const { id } = useParams()
  return /^[1-9]\d{0,8}$/.test(id ?? '') ? <OfStudent key={id} id={Number(id)} /> : <Empty title={t('no_student')} />
}

function OfStudent({ id }: { readonly id: number }) {
  const { data, error, refetch } = useCall(riskCalls.of, { params: { id } })
  const [noting, setNoting] = useState<Noting>(null)
  const of = data?.data
  return (
    <Page
      title={of ? of.student : null}
      subtitle={
        of ? (
          <Dotted>
            <Code>{of.student.code}</Code>
            <bdi>{nameOf(of.student.program)}</bdi>
          </Dotted>
        ) : (
          '\u00A0'
        )
      }
    >
      {error && !of ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !of ? (
        <Bone height={360} />
      ) : (
        <Stack>
          <Now of={of} onNote={() => setNoting({ contact: null })} />
          <Contacts of={of} onChange={(contact) => setNoting({ contact })} />
          <Before rows={of.before} />
        </Stack>
      )}
      {noting && <ContactDialog student_id={id} contact={noting.contact} onClose={() => setNoting(null)} />}
    </Page>
  )
}

/** What stands now, and with whom it can be spoken about. */
function Now({ of, onNote }: { readonly of: Of; readonly onNote: () => void }) {
  const t = useT('early-warning')
  const { now, student, may_note } = of
  return (
    <Card title={t('now')} text={now ? t('now_text') : undefined} aside={now && <RiskLevel level={now.level} />}>
      <Stack>
        {now ? <RiskReasons reasons={now.reasons} /> : <p className={css.text}>{t('nothing')}</p>}
        <Facts
          short
          items={[
            ...(now
              ? [
                  { label: t('points'), value: <Code>{formatNumber(now.points)}</Code> },
                  { label: t('model'), value: <Likely probability={now.probability} /> },
                  { label: t('since'), value: formatInstant(now.began_at) },
                  { label: t('counted_at'), value: formatInstant(now.counted_at) },
                ]
              : []),
            { label: t('advisor'), value: student.advisor ? <Name row={student.advisor} /> : '–' },
            { label: t('level'), value: <Code>{formatNumber(student.level)}</Code> },
          ]}
        />
        <div className={css.head}>
          <Link to={to('/students/:id', { id: student.id })}>{t('to_record')}</Link>
          {may_note && <Button onClick={onNote}>{t('note')}</Button>}
        </div>
      </Stack>
    </Card>
  )
}

function Contacts({ of, onChange }: { readonly of: Of; readonly onChange: (contact: RiskContact) => void }) {
  const t = useT('early-warning')
  const say = useLabel()
  return (
    <Card title={t('contacts')}>
      {of.contacts.length === 0 && <p className={css.text}>{t('no_contacts')}</p>}
      {of.contacts.map((one) => {
        const outcome = CONTACT_OUTCOMES.find(({ value }) => value === one.outcome) ?? CONTACT_OUTCOMES[0]
        const way = CONTACT_WAYS.find(({ value }) => value === one.way) ?? CONTACT_WAYS[0]
        return (
          <div key={one.id} className={css.contact}>
            <div className={css.head}>
              <strong>{formatDate(one.on_date)}</strong>
              <span>{say(way.label)}</span>
              <Status tone={outcome.tone} label={say(outcome.label)} />
              {one.by && (
                <span className={css.dim}>
                  <Name row={one.by} />
                </span>
              )}
              {one.abilities.includes('edit') && (
                <Button variant="default" size="compact-sm" onClick={() => onChange(one)}>
                  {t('change')}
                </Button>
              )}
            </div>
            <p className={css.said} dir="auto">
              {one.said}
            </p>
            {one.outcome_note && (
              <p className={css.said} dir="auto">
                {one.outcome_note}
              </p>
            )}
            {one.again_on && <span className={css.dim}>{t('again_on', { day: formatDate(one.again_on) })}</span>}
          </div>
        )
      })}
    </Card>
  )
}

/** What stood before, with the reasons of then. */
function Before({ rows }: { readonly rows: Of['before'] }) {
  const t = useT('early-warning')
  return (
    <Card title={t('before')}>
      <Table
        label={t('before')}
        rows={rows}
        rowKey={(row) => row.id}
        empty={t('no_before')}
        columns={[
          {
            key: 'when',
            label: t('when'),
            head: true,
            style: { minInlineSize: 150 },
            cell: (row) =>
              t('from_until', {
                from: formatDate(dayOf(row.began_at)),
                until: formatDate(row.ended_at && dayOf(row.ended_at)),
              }),
          },
          { key: 'term', label: t('term'), cell: (row) => <bdi>{nameOf(row.term)}</bdi> },
          { key: 'level', label: t('attention'), cell: (row) => <RiskLevel level={row.level} /> },
          { key: 'points', label: t('points'), figure: true, cell: (row) => formatNumber(row.points) },
          {
            key: 'why',
            label: t('why'),
            style: { minInlineSize: 280 },
            cell: (row) => row.reasons.map((one) => problemText(one)).join(' '),
          },
        ]}
      />
    </Card>
  )
}
