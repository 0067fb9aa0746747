import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import type { ResponseOf } from '#kit/contract/index.ts'
import { KEPT } from '#kit/contract/retention.ts'
import type { Kept } from '#kit/contract/retention.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Coming } from '#kit/web/detail/parts.tsx'
import { Empty, Failed, confirm, notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, formatInstant, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { DataTable } from '#kit/web/list/data-table.tsx'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { retentionCalls } from './retention.contract.ts'
import type { KeptRow } from './retention.contract.ts'
import css from './retention.module.css'

const kindOf = (row: Pick<KeptRow, 'kind'>): Kept => KEPT[row.kind]

/** How long each kind of data is kept and for what, what is erased next, and people of whom nothing is. */
export default function RetentionScreen() {
  const t = useT('settings')
  const say = useLabel()
  const { send } = useChange('/settings/retention')
  const { data, error, refetch } = useCall(retentionCalls.retention)
  const [editing, setEditing] = useState<KeptRow | null>(null)
  const [holding, setHolding] = useState(false)
  /** What a length would erase is told before it is saved. */
  const save = async (row: KeptRow, days: number | null) => {
    const preview = await send(retentionCalls.previewRetention, { params: { kind: row.kind }, body: { days } })
    const { count, oldest } = preview.data
    const before = row.due?.count ?? 0
    if (count > before) {
      const go = await confirm({
        title: t('kept_erases_title', { count }),
        consequence: t('kept_erases_text', { name: say(kindOf(row).label), since: oldest ? formatDate(oldest) : '–' }),
        action: t('kept_save'),
        danger: true,
      })
      if (!go) return null
    }
    return send(retentionCalls.setRetention, { params: { kind: row.kind }, body: { days, seen: count } })
  }
  return (
    <Page
      title={t('retention')}
      subtitle={data ? t('kept_next', { at: formatInstant(data.meta.next) }) : '\u00A0'}
      action={
        <Button variant="default" onClick={() => setHolding(true)}>
          {t('hold_person')}
        </Button>
      }
    >
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Coming />
      ) : (
        <Stack>
          <Kinds rows={data.data} onEdit={setEditing} />
          <Holds rows={data.meta.holds} />
        </Stack>
      )}
      {editing && (
        <Modal opened onClose={() => setEditing(null)} title={say(kindOf(editing).label)}>
          <p>
            {kindOf(editing).bounds!.most === null
              ? t('kept_at_least', { least: kindOf(editing).bounds!.least })
              : t('kept_between', { least: kindOf(editing).bounds!.least, most: kindOf(editing).bounds!.most! })}
          </p>
          <Form
            bar="dialog"
            onCancel={() => setEditing(null)}
            fields={{
              days: f.integer(['Days', 'الأيام'], {
                min: kindOf(editing).bounds!.least,
                max: kindOf(editing).bounds!.most ?? 36_500,
                required: kindOf(editing).bounds!.most !== null,
              }),
            }}
            values={{ days: editing.days }}
            onSave={({ days }) => save(editing, (days as number | null) ?? null)}
            onSaved={(answer) => {
              if (answer) notify.done(t('settings_saved'))
              setEditing(null)
            }}
          />
        </Modal>
      )}
      {holding && (
        <Modal opened onClose={() => setHolding(false)} title={t('hold_person')}>
          <p>{t('holds_text')}</p>
          <Form
            bar="dialog"
            always
            submit={t('hold_person')}
            onCancel={() => setHolding(false)}
            fields={{
              user_id: f.lookup(['Person', 'الشخص'], 'user', { required: true }),
              reason: f.longText(['Reason', 'السبب'], { required: true, max: 500 }),
            }}
            onSave={({ user_id, reason }) =>
              send(retentionCalls.holdPerson, { body: { user_id: Number(user_id), reason: String(reason) } })
            }
            onSaved={() => {
              notify.done(t('hold_begun'))
              setHolding(false)
            }}
          />
        </Modal>
      )}
    </Page>
  )
}

/** Each kind of data: what it is for, how long it is kept, and what is due to go. */
function Kinds({ rows, onEdit }: { rows: readonly KeptRow[]; onEdit: (row: KeptRow) => void }) {
  const t = useT('settings')
  const say = useLabel()
  const lang = useLanguage()
  const length = (days: number | null) => (days === null ? t('kept_for_ever') : t('kept_days', { count: days }))
  return (
    <Card title={t('kept_kinds')}>
      <ul className={css.kinds}>
        {rows.map((row) => {
          const kind = kindOf(row)
          return (
            <li key={row.kind}>
              <div>
                <strong>{say(kind.label)}</strong>
                <p>{say(kind.purpose)}</p>
                <small>{say(kind.why)}</small>
              </div>
              <div>
                <span className={css.length}>{length(row.days)}</span>
                {row.set_at && (
                  <small>
                    {t('kept_set_by', {
                      name: row.set_by ? nameOf(row.set_by, lang) : '–',
                      at: formatDate(row.set_at),
                    })}
                  </small>
                )}
                {row.due && row.days !== null && <small>{t('kept_due', { count: row.due.count })}</small>}
                {row.last_run && (
                  <small>
                    {t('kept_last', {
                      count: formatNumber(row.last_run.erased),
                      at: formatDate(row.last_run.at),
                    })}
                  </small>
                )}
              </div>
              {kind.bounds ? (
                <Button variant="subtle" size="xs" onClick={() => onEdit(row)}>
                  {t('kept_change')}
                  <span className={css.hidden}> {say(kind.label)}</span>
                </Button>
              ) : (
                <span />
              )}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

/** People of whom nothing is erased. */
function Holds({ rows }: { rows: ResponseOf<typeof retentionCalls.retention>['meta']['holds'] }) {
  const t = useT('settings')
  const lang = useLanguage()
  const { send } = useChange('/settings/retention')
  const end = (row: { readonly hold: number }) =>
    send(retentionCalls.endHold, { params: { id: row.hold } })
      .then(() => notify.done(t('hold_ended')))
      .catch((problem: unknown) => notify.error(problem))
  return (
    <Card title={t('holds')} text={t('holds_text')}>
      <DataTable
        caption={t('holds')}
        rows={rows.map((one) => ({ ...one, hold: one.id }))}
        expected={2}
        empty={<Empty title={t('holds_empty')} />}
        rowName={(row) => nameOf(row.person, lang)}
        actions={(row) => [{ key: 'end', label: t('hold_end'), onSelect: () => void end(row) }]}
        columns={[
          {
            key: 'person',
            label: ['Person', 'الشخص'],
            width: 220,
            cell: (row) => <bdi>{nameOf(row.person, lang)}</bdi>,
          },
          { key: 'reason', label: ['Reason', 'السبب'], width: 320, cell: (row) => <bdi>{row.reason}</bdi> },
          { key: 'since', label: ['Since', 'منذ'], width: 140, cell: (row) => formatDate(row.since) },
        ]}
      />
    </Card>
  )
}
