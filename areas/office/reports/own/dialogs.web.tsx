import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { f } from '#kit/contract/field.ts'
import { WEEKDAYS } from '#kit/contract/week.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { OnlyFirst } from '#kit/web/feedback/only-first.tsx'
import { Form } from '#kit/web/form/form.tsx'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import type { MeasureKey } from '../figures/measures.contract.ts'
import { rightOfMeasure, type OwnAsked } from './choices.rules.ts'
import { MOST_PEOPLE, ownReportCalls, type OwnReport, type Shown } from './own.contract.ts'

const PATH = '/own-reports'
const asChoices = <V extends string | number>(list: readonly { readonly value: V; readonly label: string }[]) =>
  list.map(({ value, label }) => ({ value: String(value), label: asLabel(label) }))

/** Under which name a report is kept: a new one, a copy, or the same with another name. */
export function ReportNameDialog<Answer>({
  title,
  name,
  submit,
  send,
  onSaved,
  onClose,
}: {
  title: string
  name: string
  submit: string
  send: (name: string) => Promise<Answer>
  /** What follows: only now is nothing unsaved any more, so that another screen can be opened. */
  onSaved?: (answer: Answer) => void
  onClose: () => void
}) {
  const t = useT('reports')
  return (
    <Dialog opened onClose={onClose} title={title}>
      <Form
        fields={{ name: f.text(asLabel(t('own_name')), { required: true, max: 80 }) }}
        values={{ name }}
        bar="dialog"
        always
        submit={submit}
        onCancel={onClose}
        onSave={(given) => send(String(given.name))}
        onSaved={(answer) => {
          onClose()
          onSaved?.(answer)
        }}
      />
    </Dialog>
  )
}

/** Keeps a report that was put together. */
export function SaveDialog({
  asked,
  shown,
  name,
  onSaved,
  onClose,
}: {
  asked: OwnAsked
  shown: Shown
  name: string
  onSaved: (report: OwnReport) => void
  onClose: () => void
}) {
  const t = useT('reports')
  const { send } = useChange(PATH)
  return (
    <ReportNameDialog
      title={t('own_save_title')}
      name={name}
      submit={t('own_save')}
      send={(typed) => send(ownReportCalls.addOwnReport, { body: { name: typed, asked: asked as never, shown } })}
      onSaved={({ data }) => onSaved(data)}
      onClose={onClose}
    />
  )
}

/** With whom a report is shared: roles and persons, those alone that see something of it. */
export function ShareDialog({ report, onClose }: { report: OwnReport; onClose: () => void }) {
  const t = useT('reports')
  const { send } = useChange(PATH)
  const { data } = useCall(ownReportCalls.ownRoles)
  const [people, setPeople] = useState<readonly Person[]>(report.people)
  const right = rightOfMeasure(report.asked.measures[0]!)
  const roles = (data?.data ?? []).filter((role) => role.rights.includes(right))
  return (
    <Dialog opened onClose={onClose} title={t('own_share_title', { name: report.name })}>
      <p>{t('own_share_text')}</p>
      {!data ? (
        <Bone height={120} />
      ) : (
        <>
          <ChoosePeople measure={report.asked.measures[0]!} chosen={people} choose={setPeople} />
          <Form
            fields={{
              role_ids: f.choices(
                asLabel(t('own_roles')),
                roles.map((role) => ({ value: String(role.id), label: [role.name, role.name_local] as const })),
              ),
            }}
            values={{ role_ids: report.roles.map((role) => String(role.id)) }}
            bar="dialog"
            always
            submit={t('own_share_submit')}
            onCancel={onClose}
            onSave={async (given) => {
              const role_ids = ((given.role_ids as string[] | null) ?? []).map(Number)
              const user_ids = people.map(({ id }) => id)
              await send(ownReportCalls.shareOwnReport, { params: { id: report.id }, body: { role_ids, user_ids } })
              onClose()
            }}
          />
        </>
      )}
    </Dialog>
  )
}

type Person = OwnReport['people'][number]
/** Persons by name, of those who may see the figures. */
function ChoosePeople({
  measure,
  chosen,
  choose,
}: {
  measure: MeasureKey
  chosen: readonly Person[]
  choose: (people: readonly Person[]) => void
}) {
  const t = useT('reports')
  const lang = useLanguage()
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 200)
  const { data } = useCall(
    ownReportCalls.ownPeople,
    { body: { measure, search } },
    { enabled: search.length > 1, placeholderData: keepPreviousData },
  )
  const found = search.length > 1 ? (data?.data ?? []) : []
  const known = [...chosen, ...found.filter((one) => !chosen.some(({ id }) => id === one.id))]
  return (
    <div>
      <MultiSelect
        label={t('own_people')}
        description={t('own_people_text')}
        placeholder={t('own_people_search')}
        data={known.map((one) => ({ value: String(one.id), label: nameOf(one, lang) }))}
        value={chosen.map(({ id }) => String(id))}
        onChange={(ids) => choose(known.filter(({ id }) => ids.includes(String(id))))}
        searchValue={typed}
        onSearchChange={setTyped}
        // The server finds names in both languages.
        filter={({ options }) => options}
        nothingFoundMessage={search.length > 1 ? t('own_people_none') : t('own_people_type')}
        maxValues={30}
        searchable
        hidePickedOptions
      />
      <OnlyFirst rows={found.length} most={MOST_PEOPLE} found />
    </div>
  )
}

/** On which day and from which hour on a report is mailed. */
export function ScheduleDialog({ report, onClose }: { report: OwnReport; onClose: () => void }) {
  const t = useT('reports')
  const { send } = useChange(PATH)
  const { schedule } = report
  const days = WEEKDAYS.map((label, value) => ({ value: String(value), label }))
  const hours = asChoices(
    Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: `${String(hour).padStart(2, '0')}:00` })),
  )
  return (
    <Dialog opened onClose={onClose} title={t('own_send_title', { name: report.name })}>
      <p>{t('own_send_text')}</p>
      <Form
        fields={{
          weekday: f.choice(asLabel(t('own_weekday')), days, { required: true }),
          hour: f.choice(asLabel(t('own_hour')), hours, { required: true }),
          file: f.choice(
            asLabel(t('own_file')),
            asChoices([
              { value: 'pdf', label: t('as_pdf') },
              { value: 'xlsx', label: t('as_sheet') },
            ]),
            { required: true },
          ),
        }}
        values={{
          weekday: String(schedule?.weekday ?? 2),
          hour: String(schedule?.hour ?? 7),
          file: schedule?.file ?? 'pdf',
        }}
        bar="dialog"
        always
        submit={t('own_send')}
        onCancel={onClose}
        onSave={async (given) => {
          await send(ownReportCalls.scheduleOwnReport, {
            params: { id: report.id },
            body: {
              weekday: Number(given.weekday),
              hour: Number(given.hour),
              file: given.file === 'xlsx' ? 'xlsx' : 'pdf',
            },
          })
          onClose()
        }}
      />
    </Dialog>
  )
}
