import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Problems } from '#kit/web/feedback/index.ts'
import { Asked, PlainForm } from '#kit/web/form/plain-form.tsx'
import { formatMoney, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { priceOf } from '../requests/certificate.rules.ts'
import { DELIVERIES, LANGUAGES, SPEEDS } from '../types/words.contract.ts'
import { graduateCalls as calls, type OpenType } from './ask.contract.ts'
import { checkGraduateIdentity, graduateIdentity } from './graduate.rules.ts'
import { GRADUATE_IDENTITIES } from './words.contract.ts'
import css from './graduates.module.css'

type Choices = readonly { readonly value: string; readonly label: readonly [string, string] }[]
interface Chosen {
  readonly type: number
  readonly identity: (typeof GRADUATE_IDENTITIES)[number]['value']
  readonly lang: (typeof LANGUAGES)[number]['value']
  readonly copies: number
  readonly speed: (typeof SPEEDS)[number]['value']
  readonly delivery: (typeof DELIVERIES)[number]['value']
}

/** Who asks, and for what; the price stands before it is sent. */
export function AskedByGraduate({ types, ticket }: { types: readonly OpenType[]; ticket: string }) {
  const t = useT('certificates')
  const lang = useLanguage()
  const navigate = useNavigate()
  const { go, send, busy, problem } = useChange('/certificates/graduate')
  const first = types[0]!
  const [chosen, setChosen] = useState<Chosen>({
    type: first.id,
    identity: 'code',
    lang: lang === 'ar' ? 'ar' : 'en',
    copies: 1,
    speed: 'normal',
    delivery: first.deliveries[0] ?? 'by_hand',
  })
  const type = types.find(({ id }) => id === chosen.type) ?? first
  const change = (some: Partial<Chosen>) => setChosen((had) => fitting(types, { ...had, ...some }))
  const ask = (typed: Readonly<Record<string, string>>) =>
    go(async () => {
      const { identity, type: id, ...rest } = chosen
      const { data } = await send(calls.ask, {
        params: { id },
        body: {
          ...rest,
          ticket,
          language: lang,
          identity_kind: identity,
          name: typed.name ?? '',
          identity: typed.identity ?? '',
          birth_date: typed.birth_date ?? '',
          address: chosen.delivery === 'by_mail' ? (typed.address ?? null) : null,
          why: typed.why ?? '',
        },
      })
      await navigate(to('/certificates/graduate/:id/:secretKey', { id: data.id, secretKey: data.key }))
    })
  return (
    <PlainForm className={css.fields} busy={busy} send={(typed) => void ask(typed)}>
      <h2>{t('grad_who')}</h2>
      <p className={css.dim}>{t('grad_who_text')}</p>
      <Who chosen={chosen} change={change} />
      <h2>{t('grad_what')}</h2>
      <What types={types} type={type} chosen={chosen} change={change} />
      <Price type={type} chosen={chosen} />
      {problem !== null && <Problems error={problem} />}
      <Button type="submit" size="md" loading={busy}>
        {t('grad_send')}
      </Button>
    </PlainForm>
  )
}

/** What was chosen before, as far as the type has it. */
function fitting(types: readonly OpenType[], chosen: Chosen): Chosen {
  const type = types.find(({ id }) => id === chosen.type)
  if (!type) return chosen
  return {
    ...chosen,
    copies: Math.min(chosen.copies, type.most_copies),
    speed: type.prices.some(({ speed }) => speed === chosen.speed) ? chosen.speed : 'normal',
    delivery: type.deliveries.includes(chosen.delivery) ? chosen.delivery : (type.deliveries[0] ?? chosen.delivery),
  }
}

interface Part {
  readonly chosen: Chosen
  readonly change: (some: Partial<Chosen>) => void
}
function Choice<V extends string>({
  label,
  all,
  value,
  set,
}: {
  label: string
  all: readonly { readonly value: V; readonly label: string }[]
  value: V
  set: (value: V) => void
}) {
  return (
    <NativeSelect
      size="md"
      label={label}
      value={value}
      data={[...all]}
      onChange={({ currentTarget }) => {
        const found = all.find((one) => one.value === currentTarget.value)
        if (found) set(found.value)
      }}
    />
  )
}
/** Choices in the reader's language. */
function useChoices() {
  const say = useLabel()
  return <const C extends Choices>(all: C, some?: readonly string[]) =>
    all
      .filter(({ value }) => !some || some.includes(value))
      .map(({ value, label }) => ({ value: value as C[number]['value'], label: say(label) }))
}

function Who({ chosen, change }: Part) {
  const t = useT('certificates')
  const tk = useT('kit')
  const choices = useChoices()
  const identity = GRADUATE_IDENTITIES.find(({ value }) => value === chosen.identity)
  const say = useLabel()
  return (
    <>
      <Asked
        name="name"
        label={t('grad_name')}
        description={t('grad_name_text')}
        size="md"
        autoComplete="name"
        dir="auto"
      />
      <div className={css.two}>
        <Choice
          label={t('grad_known_by')}
          all={choices(GRADUATE_IDENTITIES)}
          value={chosen.identity}
          set={(value) => change({ identity: value })}
        />
        <Asked
          key={chosen.identity}
          name="identity"
          label={identity ? say(identity.label) : t('grad_known_by')}
          size="md"
          dir="ltr"
          maxLength={40}
          rule={(typed) =>
            checkGraduateIdentity(chosen.identity, graduateIdentity(chosen.identity, typed)).length
              ? t(chosen.identity === 'national_id' ? 'grad_national_id' : 'grad_number')
              : null
          }
        />
      </div>
      <Asked
        name="birth_date"
        type="date"
        label={t('grad_birth_date')}
        size="md"
        rule={(typed) => (/^\d{4}-\d{2}-\d{2}$/.test(typed) ? null : tk('fill_in'))}
      />
    </>
  )
}

function What({ types, type, chosen, change }: Part & { types: readonly OpenType[]; type: OpenType }) {
  const t = useT('certificates')
  const lang = useLanguage()
  const choices = useChoices()
  return (
    <>
      <Choice
        label={t('grad_type')}
        all={types.map((one) => ({ value: String(one.id), label: nameOf(one, lang) }))}
        value={String(type.id)}
        set={(value) => change({ type: Number(value) })}
      />
      <div className={css.two}>
        <Choice
          label={t('grad_lang')}
          all={choices(LANGUAGES)}
          value={chosen.lang}
          set={(value) => change({ lang: value })}
        />
        <Choice
          label={t('grad_copies')}
          all={Array.from({ length: type.most_copies }, (_, i) => ({ value: String(i + 1), label: String(i + 1) }))}
          value={String(chosen.copies)}
          set={(value) => change({ copies: Number(value) })}
        />
        <Choice
          label={t('grad_speed')}
          all={choices(
            SPEEDS,
            type.prices.map(({ speed }) => speed),
          )}
          value={chosen.speed}
          set={(value) => change({ speed: value })}
        />
        <Choice
          label={t('grad_delivery')}
          all={choices(DELIVERIES, type.deliveries)}
          value={chosen.delivery}
          set={(value) => change({ delivery: value })}
        />
      </div>
      {chosen.delivery === 'by_mail' && (
        <Asked
          name="address"
          label={t('grad_address')}
          size="md"
          autoComplete="street-address"
          maxLength={500}
          dir="auto"
        />
      )}
      <Asked
        name="why"
        label={t('grad_why')}
        size="md"
        maxLength={2000}
        dir="auto"
        rule={(typed) => (typed.trim().length < 3 ? t('grad_why_short') : null)}
      />
    </>
  )
}

/** What it costs, by the rule that charges it: nobody knows yet which of the two is asked of this person. */
function Price({ type, chosen }: { type: OpenType; chosen: Chosen }) {
  const t = useT('certificates')
  const price = type.prices.find(({ speed }) => speed === chosen.speed)
  if (!price) return null
  const local = priceOf({ value: price.local, copy: price.local_copy }, chosen)
  const usd = priceOf({ value: price.usd, copy: price.usd_copy }, chosen)
  return (
    <div className={css.costs}>
      <p className={css.price} role="status">
        <span>{t('price_text', { count: price.days })}</span>
        <strong>
          {local === 0 && usd === 0 ? (
            t('free')
          ) : (
            <>
              <bdi>{formatMoney(local, 'EGP')}</bdi> / <bdi>{formatMoney(usd, 'USD')}</bdi>
            </>
          )}
        </strong>
      </p>
      {(local > 0 || usd > 0) && <p className={css.dim}>{t('grad_price_text')}</p>}
      {type.signers.length > 0 && (
        <p className={css.dim}>{t('signed_by', { positions: type.signers.map((one) => nameOf(one)).join(' · ') })}</p>
      )}
    </div>
  )
}
