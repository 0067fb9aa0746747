import { Select } from '@mantine/core'
import { useState } from 'react'
import { f } from '#kit/contract/field.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Empty, Failed, notify } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { Form, useFormValue } from '#kit/web/form/form.tsx'
import { formatMoney, nameOf, problemText, useLabel, useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { serviceKindCalls, type OfferedService } from '../kinds/kind.contract.ts'
import { answersIn, formFields } from './fields.web.ts'
import { service, serviceCalls } from './service.contract.ts'
import css from '../services.module.css'

/** For whom it is asked: the reader, as a student or as a member of staff, or somebody else whom the reader chooses. */
const WHOSE = ['as_student', 'as_staff', 'student', 'staff'] as const
type Whose = (typeof WHOSE)[number]
type Asker = { readonly student_id: number } | { readonly staff_id: number }

/** Asks for a service: what it asks for, with price and time before it is sent. Who manages services asks for others. */
export default function AskService() {
  const t = useT('services')
  const say = useLabel()
  const { user, can } = useMe()
  const others = can('manage_service')
  const open = WHOSE.filter((one) =>
    one === 'as_student' ? user.student_id !== null : one === 'as_staff' ? can('ask_service_as_staff') : others,
  )
  const [whose, setWhose] = useState<Whose>(open[0] ?? 'as_student')
  const [chosen, setChosen] = useState<number | null>(null)
  const id = whose === 'as_student' ? user.student_id : whose === 'as_staff' ? user.id : chosen
  const asker: Asker | null =
    id === null ? null : whose === 'as_student' || whose === 'student' ? { student_id: id } : { staff_id: id }
  const { data, error, refetch } = useCall(serviceKindCalls.index, { query: asker ?? {} }, { enabled: asker !== null })
  const kinds = data?.data
  return (
    <Page title={say(service.adding)} wide={false}>
      <Card>
        <div className={css.form}>
          {open.length > 1 && (
            <Select
              label={t('for_whom')}
              data={open.map((value) => ({ value, label: t(value) }))}
              value={whose}
              allowDeselect={false}
              onChange={(value) => {
                setChosen(null)
                setWhose(WHOSE.find((one) => one === value) ?? whose)
              }}
            />
          )}
          {(whose === 'student' || whose === 'staff') && (
            <LookupInput
              key={whose}
              resource={whose}
              label={say(service.fields[`${whose}_id`].label)}
              defaultValue={chosen}
              onChange={setChosen}
            />
          )}
          {asker === null ? null : error && !kinds ? (
            <Failed error={error} retry={() => void refetch()} />
          ) : !kinds ? (
            <Bone height={320} />
          ) : kinds.length === 0 ? (
            <Empty title={t('nothing_offered')} text={t('nothing_offered_text')} />
          ) : (
            <Asking key={`${whose} ${id}`} asker={asker} kinds={kinds} />
          )}
        </div>
      </Card>
    </Page>
  )
}

type Typed = Readonly<Record<string, unknown>>
const kindIn = (kinds: readonly OfferedService[], id: unknown) => kinds.find((one) => one.id === Number(id))

function Asking({ asker, kinds }: { asker: Asker; kinds: readonly OfferedService[] }) {
  const t = useT('services')
  const navigate = useNavigate()
  const { send } = useChange('/services', '/users/work', '/payments')
  const asked = Number(useSearchParams()[0].get('kind')) || null
  // One key for what is filled in here: pressed twice, or sent again after a break, it is one request.
  const [key] = useState(() => crypto.randomUUID())
  const fieldsOf = (typed: Typed) => ({
    kind_id: f.choice(
      service.fields.kind_id.label,
      kinds.map((one) => ({ value: one.id, label: [one.name, one.name_local ?? one.name] as const })),
      { required: true },
    ),
    ...formFields(kindIn(kinds, typed.kind_id)?.fields ?? []),
    why: service.fields.why,
  })
  return (
    <Form
      fields={fieldsOf}
      values={{ kind_id: kindIn(kinds, asked) ? asked : null }}
      bar="dialog"
      always
      submit={t('send_request')}
      missing={(typed: Typed) => (kindIn(kinds, typed.kind_id)?.refused ?? []).map((one) => problemText(one))}
      below={<Price kinds={kinds} />}
      onSave={(typed) =>
        send(serviceCalls.ask, {
          body: {
            kind_id: Number(typed.kind_id),
            ...asker,
            answers: answersIn(kindIn(kinds, typed.kind_id)?.fields ?? [], typed),
            why: (typed.why as string | null | undefined) || null,
            key,
          },
        })
      }
      onSaved={({ data }: { data: { id: number } }) => {
        notify.done(t('asked'))
        void navigate(to('/services/:id', { id: data.id }))
      }}
    />
  )
}

/** What it costs and how long it usually takes, by which offices. */
function Price({ kinds }: { kinds: readonly OfferedService[] }) {
  const t = useT('services')
  const kind = kindIn(kinds, useFormValue('kind_id'))
  if (!kind) return null
  return (
    <>
      <p className={css.price} role="status">
        <span>{t('usual_days', { count: kind.days })}</span>
        <strong>{kind.price === 0 ? t('free') : formatMoney(kind.price, kind.currency)}</strong>
      </p>
      {kind.price > 0 && <small>{t(kind.prepaid ? 'paid_first' : 'paid_before_done')}</small>}
      <small>{t('passes', { offices: kind.offices.map((one) => nameOf(one)).join(' · ') })}</small>
      {kind.refused.map((one) => (
        <p key={one.code} role="alert" className={css.refused}>
          {problemText(one)}
        </p>
      ))}
    </>
  )
}
