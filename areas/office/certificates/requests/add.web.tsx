import { Select } from '@mantine/core'
import { useState } from 'react'
import { f } from '#kit/contract/field.ts'
import { resourceCalls } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Empty, Failed, notify } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { Form, useFormValues } from '#kit/web/form/form.tsx'
import { formatMoney, nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { to, useLocation, useNavigate } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { DELIVERIES, SPEEDS, typeCalls, type OfferedType } from '../types/type.contract.ts'
import { certificate } from './certificate.contract.ts'
import { priceOf } from './certificate.rules.ts'
import css from '../certificates.module.css'

const calls = resourceCalls(certificate)
const F = certificate.fields

/** For whom it is asked: the reader, as a student or as a member of staff, or somebody else whom the reader chooses. */
const WHOSE = ['as_student', 'as_staff', 'student', 'staff'] as const
type Whose = (typeof WHOSE)[number]
type Asker = { readonly student_id: number } | { readonly staff_id: number }

/** Asks for a certificate: of which type, in which language, how many, how soon; the price stands before it is sent. */
export default function AskCertificate() {
  const t = useT('certificates')
  const say = useLabel()
  const { user, can } = useMe()
  // Among the own certificates one asks for oneself, at the desk for others.
  const mine = useLocation().pathname.startsWith('/services/')
  const open = WHOSE.filter((one) =>
    one === 'as_student'
      ? user.student_id !== null
      : one === 'as_staff'
        ? can('ask_certificate_as_staff')
        : !mine && can('edit_certificate'),
  )
  const [whose, setWhose] = useState<Whose>((mine ? open[0] : open.at(-2)) ?? open[0] ?? 'as_student')
  const [chosen, setChosen] = useState<number | null>(null)
  const id = whose === 'as_student' ? user.student_id : whose === 'as_staff' ? user.id : chosen
  const asker: Asker | null =
    id === null ? null : whose === 'as_student' || whose === 'student' ? { student_id: id } : { staff_id: id }
  const { data, error, refetch } = useCall(typeCalls.offered, { query: asker ?? {} }, { enabled: asker !== null })
  const types = data?.data
  return (
    <Page title={say(certificate.adding)} wide={false}>
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
              label={say(F[`${whose}_id`].label)}
              defaultValue={chosen}
              onChange={setChosen}
            />
          )}
          {error && !types ? (
            <Failed error={error} retry={() => void refetch()} />
          ) : asker === null ? null : !types ? (
            <Bone height={320} />
          ) : types.length === 0 ? (
            <Empty title={t('nothing_offered')} text={t('nothing_offered_text')} />
          ) : (
            <Asking key={`${whose} ${id}`} asker={asker} own={mine} types={types} />
          )}
        </div>
      </Card>
    </Page>
  )
}

type Typed = Readonly<Record<string, unknown>>
const typeIn = (types: readonly OfferedType[], typed: Typed): OfferedType | undefined =>
  types.find(({ id }) => id === Number(typed.type_id))

function Asking({ asker, own, types }: { asker: Asker; own: boolean; types: readonly OfferedType[] }) {
  const t = useT('certificates')
  const lang = useLanguage()
  const navigate = useNavigate()
  // Who comes for one kind of paper finds it chosen.
  const wanted = new URLSearchParams(useLocation().search).get('document')
  const { send } = useChange('/certificates', '/users/work', '/payments')
  const fieldsOf = (typed: Typed) => {
    const type = typeIn(types, typed)
    const offers = <T extends { readonly value: string }>(all: readonly T[], some: readonly string[] | undefined) =>
      all.filter(({ value }) => !some || some.includes(value))
    return {
      type_id: f.choice(
        F.type_id.label,
        types.map((one) => ({ value: one.id, label: [one.name, one.name_local ?? one.name] as const })),
        { required: true },
      ),
      lang: F.lang,
      copies: f.integer(F.copies.label, { required: true, min: 1, max: type?.most_copies ?? 50 }),
      speed: f.choice(
        F.speed.label,
        offers(
          SPEEDS,
          type?.prices.map(({ speed }) => speed),
        ),
        { required: true },
      ),
      delivery: f.choice(F.delivery.label, offers(DELIVERIES, type?.deliveries), { required: true }),
      address: f.longText(F.address.label, { required: typed.delivery === 'by_mail', max: 500 }),
      why: f.longText(F.why.label, { required: true, min: 3, max: 2000 }),
    }
  }
  return (
    <Form
      fields={fieldsOf}
      values={{
        lang: lang === 'ar' ? 'ar' : 'en',
        copies: 1,
        speed: 'normal',
        type_id: types.find(({ document }) => document === wanted)?.id ?? null,
        delivery: null,
      }}
      visible={{ address: (typed) => typed.delivery === 'by_mail' }}
      bar="dialog"
      always
      draft="certificate"
      submit={t('send_request')}
      missing={(typed: Typed) => (typeIn(types, typed)?.refused ?? []).map((one) => problemText(one))}
      below={<Price types={types} />}
      onSave={(typed) =>
        send(calls.create, {
          body: {
            ...typed,
            type_id: Number(typed.type_id),
            ...asker,
            address: typed.delivery === 'by_mail' ? (typed.address as string) : null,
          },
        })
      }
      onSaved={({ data }: { data: { id: number } }) => {
        notify.done(t('asked'))
        void navigate(own ? `/services/certification?id=${data.id}` : to('/certificates/show/:id', { id: data.id }))
      }}
    />
  )
}

/** What it costs as it is typed, and when it is ready: by the rule that charges it. */
function Price({ types }: { types: readonly OfferedType[] }) {
  const t = useT('certificates')
  const typed = useFormValues()
  const type = typeIn(types, typed)
  const price = type?.prices.find(({ speed }) => speed === typed.speed)
  if (!type || !price) return null
  const copies = Number(typed.copies) || 1
  const sum = priceOf({ value: price.amount, copy: price.copy }, { copies, lang: String(typed.lang) })
  return (
    <>
      <p className={css.price} role="status">
        <span>{t('price_text', { count: price.days })}</span>
        <strong>{sum === 0 ? t('free') : formatMoney(sum, price.currency)}</strong>
      </p>
      {type.signers.length > 0 && (
        <small>{t('signed_by', { positions: type.signers.map((one) => nameOf(one)).join(' · ') })}</small>
      )}
      {type.refused.map((one) => (
        <p key={one.code} role="alert" className={css.refused}>
          {problemText(one)}
        </p>
      ))}
    </>
  )
}
