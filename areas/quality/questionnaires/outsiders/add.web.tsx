import { Checkbox, Modal, Tabs } from '@mantine/core'
import { useState } from 'react'
import { f } from '#kit/contract/field.ts'
import type { Language } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Empty, Failed, notify, Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { nameOf, useT, type T } from '#kit/web/i18n/index.ts'
import { handInWays, useHandIn } from '#kit/web/imports/hand-in.tsx'
import { Bone } from '#kit/web/shell/card.tsx'
import { languageField, OutsiderForm } from './one.web.tsx'
import { MOST_OUTSIDERS, outsiderCalls } from './outsider.contract.ts'
import { outsidersIn } from './outsider.rules.ts'
import css from '../questionnaires.module.css'

/** Wrong lines that are told at once. */
const LINES_SAID = 10

interface Adding {
  readonly id: number
  readonly onClose: () => void
}

/** People for the list: one by one, pasted, from a sheet, or organisations that train students. */
export function AddOutsiders({ id, onClose }: Adding) {
  const t = useT('questionnaires')
  return (
    <Modal opened onClose={onClose} title={t('outsiders_add')} size="lg">
      <Tabs defaultValue="one" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="one">{t('outsiders_single')}</Tabs.Tab>
          <Tabs.Tab value="paste">{t('outsiders_paste')}</Tabs.Tab>
          <Tabs.Tab value="sheet">{t('outsiders_sheet')}</Tabs.Tab>
          <Tabs.Tab value="organisations">{t('outsiders_organisations')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="one">
          <OutsiderForm list={id} onClose={onClose} />
        </Tabs.Panel>
        <Tabs.Panel value="paste">
          <Paste id={id} onClose={onClose} />
        </Tabs.Panel>
        <Tabs.Panel value="sheet">
          <Sheet id={id} onClose={onClose} />
        </Tabs.Panel>
        <Tabs.Panel value="organisations">
          <Organisations id={id} onClose={onClose} />
        </Tabs.Panel>
      </Tabs>
    </Modal>
  )
}

/** What came of it, in one sentence. */
function told(t: T<'questionnaires'>, { added, known }: { added: number; known: number }): string {
  const news = t('outsiders_added', { count: added })
  return known ? `${news} ${t('outsiders_known', { count: known })}` : news
}

/** What is wrong with lines that were pasted, each in a sentence. */
const wrongLines = (t: T<'questionnaires'>, text: string): string[] =>
  outsidersIn(text).wrong.flatMap(({ line, reasons }) =>
    reasons.map(({ code, data }) => {
      const values = { line, text: String(data?.text ?? ''), row: Number(data?.row ?? 0) }
      switch (code) {
        case 'outsider_name':
          return t('line_no_name', values)
        case 'outsider_no_address':
          return t('line_no_address', values)
        case 'outsider_twice':
          return t('line_twice', values)
        case 'outsider_long':
          return t('line_long', values)
        default:
          return t('line_address', values)
      }
    }),
  )

function Paste({ id, onClose }: Adding) {
  const t = useT('questionnaires')
  const { send } = useChange('/questionnaires')
  return (
    <Form
      bar="dialog"
      always
      onCancel={onClose}
      submit={({ lines }) => {
        const { length } = outsidersIn(String(lines ?? '')).rows
        return length ? t('outsiders_add_count', { count: length }) : t('outsiders_add')
      }}
      fields={{
        lines: f.longText(asLabel(t('outsiders_lines')), {
          required: true,
          max: 100_000,
          help: asLabel(t('outsiders_lines_text')),
        }),
        language: languageField(t('outsider_language')),
      }}
      values={{ language: 'ar' }}
      missing={({ lines }) => {
        const text = String(lines ?? '')
        const { rows } = outsidersIn(text)
        return [
          ...wrongLines(t, text).slice(0, LINES_SAID),
          rows.length > MOST_OUTSIDERS && t('outsiders_limit', { max: MOST_OUTSIDERS }),
        ]
      }}
      onSave={({ lines, language }) =>
        send(outsiderCalls.add, {
          params: { id },
          body: { rows: outsidersIn(String(lines)).rows.map((row) => ({ ...row, language: language as Language })) },
        })
      }
      onSaved={({ data }) => {
        notify.done(told(t, data))
        onClose()
      }}
    />
  )
}

function Sheet({ id, onClose }: Adding) {
  const t = useT('questionnaires')
  const { drop, review } = useHandIn(handInWays(outsiderCalls, id), {
    text: t('outsiders_drop'),
    refreshes: ['/questionnaires'],
    leave: onClose,
    onSaved({ saved }) {
      notify.done(t('outsiders_added', { count: saved }))
      onClose()
    },
  })
  return review ?? <div className={css.say}>{drop}</div>
}

function Organisations({ id, onClose }: Adding) {
  const t = useT('questionnaires')
  const { busy, problem, go, send } = useChange('/questionnaires')
  const { data, error, refetch } = useCall(outsiderCalls.organisations)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={160} />
  if (!data.data.length) return <Empty title={t('organisations_none')} text={t('organisations_none_text')} />
  const rows = data.data.filter((one) => chosen.has(one.id))
  const add = async () => {
    const done = await go(() =>
      send(outsiderCalls.add, {
        params: { id },
        body: {
          rows: rows.slice(0, MOST_OUTSIDERS).map((one) => ({
            name: one.contact ?? nameOf(one),
            organisation: nameOf(one),
            email: one.email,
            language: 'ar' as const,
          })),
        },
      }),
    )
    if (!done) return
    notify.done(told(t, done.answer.data))
    onClose()
  }
  const all = rows.length === data.data.length
  return (
    <div className={css.say}>
      <Checkbox
        label={t('organisations_all', { count: data.data.length })}
        checked={all}
        indeterminate={rows.length > 0 && !all}
        onChange={() => setChosen(new Set(all ? [] : data.data.map((one) => one.id)))}
      />
      <fieldset className={css.choices}>
        <legend>{t('outsiders_organisations')}</legend>
        {data.data.map((one) => (
          <Checkbox
            key={one.id}
            checked={chosen.has(one.id)}
            onChange={({ currentTarget: { checked } }) =>
              setChosen((had) => new Set(checked ? [...had, one.id] : [...had].filter((other) => other !== one.id)))
            }
            label={<bdi>{nameOf(one)}</bdi>}
            description={
              <>
                {one.contact && (
                  <>
                    <bdi>{one.contact}</bdi> ·{' '}
                  </>
                )}
                <bdi dir="ltr">{one.email}</bdi>
              </>
            }
          />
        ))}
      </fieldset>
      {problem !== null && <Problems error={problem} />}
      <Submit
        loading={busy}
        missing={[rows.length === 0 && t('outsiders_organisations')]}
        onCancel={onClose}
        onClick={() => void add()}
      >
        {t('outsiders_add')}
      </Submit>
    </div>
  )
}
