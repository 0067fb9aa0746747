import { Checkbox } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { Problem } from '#kit/contract/index.ts'
import { applicant } from '../applicant/applicant.contract.ts'
import { FIELDS_OF_TAB, type ApplicationTab } from '../words.contract.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { formatNumber, nameOf, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { filled } from '#kit/web/router/filled.tsx'
import { paymentOfApplication } from '../outlets.contract.ts'
import { applyCalls as calls, type Application } from './apply.contract.ts'
import { APPLICANT_LIST_OF, isApplicantAsked } from './asked.rules.ts'
import { Question, type ListedChoice } from './fields.web.tsx'
import type { ApplicationInHand } from './use-application.web.ts'
import css from './apply.module.css'

const Wishes = part(async () => (await import('./wishes.web.tsx')).Wishes)
const Documents = part(async () => (await import('./documents.web.tsx')).ApplicationDocuments)
const Marks = part(async () => (await import('./marks.web.tsx')).Marks)
const DegreeQuestions = part(async () => (await import('./marks.web.tsx')).DegreeQuestions)
const Payment = filled(paymentOfApplication)

export interface TabProps {
  readonly hand: ApplicationInHand
  readonly application: Application
  readonly secret: string
  readonly problemOf: (name: string) => string | null
}

/** The questions of a tab. What is wrong with one stands at it once it was left, or the tab was looked at again. */
export function TabFields({
  tab,
  hand,
  application,
  secret,
  tried,
}: {
  tab: ApplicationTab
  hand: ApplicationInHand
  application: Application
  secret: string
  /** Somebody wanted to go on: what is empty is told as well. */
  tried: boolean
}) {
  const { data } = useCall(calls.lookups, undefined, { staleTime: Infinity })
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const { values, open } = application
  const t = useT('applicants')
  const ofMinistry = new Set(application.nominated?.fields)
  const problems = application.tabs.find((one) => one.key === tab)?.problems ?? []
  const told = (one: Problem): string => problemText(one)
  // What the total is out of is known before it is typed.
  const certificates = data?.data.certificates as readonly ListedChoice[] | undefined
  const most = certificates?.find((one) => one.id === values.certificate_type_id)?.extra?.max_total
  const outOf = most === undefined ? undefined : t('out_of', { max: formatNumber(Number(most)) })
  const problemOf = (name: string): string | null => {
    const refused = hand.refused.find((one) => one.field === name || one.field?.startsWith(`${name}.`))
    if (refused) return told(refused)
    const wrong = problems.find((one) => one.field === name)
    // Nobody is told that a field is empty before leaving it, or while what was just typed is on its way.
    if (!wrong || (wrong.code.endsWith('required') && ((!tried && !left.has(name)) || !isEmpty(values[name]))))
      return null
    return told(wrong)
  }
  const requiredNames = new Set(problems.filter((one) => one.code.endsWith('required')).map((one) => one.field))
  const props: TabProps = { hand, application, secret, problemOf }
  return (
    <div className={css.fields}>
      {FIELDS_OF_TAB[tab].map((name) => {
        const field = applicant.fields[name as keyof typeof applicant.fields]
        if (!isApplicantAsked(name, values)) return null
        return (
          <Question
            key={name}
            name={name}
            field={field}
            value={values[name]}
            error={problemOf(name)}
            required={requiredNames.has(name) || isNeeded(name, application)}
            disabled={!open || ofMinistry.has(name)}
            hint={
              ofMinistry.has(name)
                ? t(application.nominated?.shown ? 'of_ministry' : 'of_ministry_unseen')
                : name === 'certificate_total'
                  ? outOf
                  : undefined
            }
            choices={
              field.to
                ? (data?.data[APPLICANT_LIST_OF[field.to] ?? ''] as readonly ListedChoice[] | undefined)
                : undefined
            }
            onSave={(value) => {
              setLeft((had) => new Set([...had, name]))
              hand.put({ [name]: value, ...follows(name, value) })
            }}
          />
        )
      })}
      {tab === 'payment' && (
        <div className={application.require_payment ? css.roomToPay : undefined}>
          <Suspense fallback={<Bone height={220} />}>
            <Payment id={application.id} secret={secret} onPaid={hand.reload} />
          </Suspense>
        </div>
      )}
      <Suspense fallback={<Bone height={200} />}>
        {tab === 'academic_data' && <Marks {...props} certificates={certificates} />}
        {tab === 'bachelor_degree' && <DegreeQuestions {...props} degree="bachelor" />}
        {tab === 'diploma_degree' && <DegreeQuestions {...props} degree="diploma" />}
        {tab === 'master_degree' && <DegreeQuestions {...props} degree="master" />}
        {tab === 'personal_preference' &&
          (ofMinistry.has('preferences') ? <WishesOfMinistry application={application} /> : <Wishes {...props} />)}
        {tab === 'documents' && <Documents {...props} />}
        {tab === 'Declaration' && <Declarations {...props} />}
      </Suspense>
    </div>
  )
}

/** The program for which the ministry has nominated somebody: it is not chosen here. */
function WishesOfMinistry({ application }: Pick<TabProps, 'application'>) {
  const t = useT('applicants')
  const lang = useLanguage()
  const { data } = useCall(calls.data, { query: { admission_id: application.admission.id } })
  const wishes = (application.values.preferences ?? []) as readonly { readonly program_id: number }[]
  const named = wishes.flatMap(
    ({ program_id }) => data?.data.programs.find((one) => one.program.id === program_id) ?? [],
  )
  return (
    <section aria-label={t('wishes')}>
      <h2>{t('wishes')}</h2>
      <p className={css.dim}>{t(application.nominated?.shown ? 'of_ministry' : 'of_ministry_unseen')}</p>
      <ol>
        {named.map((one) => (
          <li key={one.id}>{nameOf(one.program, lang)}</li>
        ))}
      </ol>
    </section>
  )
}

const isEmpty = (value: unknown): boolean => value == null || value === ''

/** Needed in every application of its tab: said before anybody leaves it empty. */
const NEEDED: readonly string[] = [
  'nationality_id',
  'national_id',
  'passport_number',
  'name',
  'name_local',
  'gender',
  'birth_date',
  'phone',
  'country_id',
  'address',
  'father_name',
  'mother_name',
  'certificate_type_id',
  'certificate_school',
  'english_score',
  'english_date',
  'scholarship_reason',
  'financial_aid_reason',
  'family_income',
  'family_members',
]
const isNeeded = (name: string, { type, admission }: Application): boolean =>
  NEEDED.includes(name) ||
  (type === 3 && ['previous_university', 'previous_faculty', 'previous_hours'].includes(name)) ||
  (!admission.is_early && ['certificate_year', 'certificate_total'].includes(name))

/** What an Egyptian national id says need not be typed. */
function follows(name: string, value: unknown): Readonly<Record<string, unknown>> {
  const parts = name === 'national_id' ? /^([23])(\d\d)(\d\d)(\d\d)\d{5}(\d)\d$/.exec(String(value)) : null
  if (!parts) return {}
  const [, century, year, month, day, sex] = parts
  return {
    birth_date: `${century === '2' ? '19' : '20'}${year}-${month}-${day}`,
    gender: Number(sex) % 2 === 1 ? 1 : 2,
  }
}

function Declarations({ application, hand, secret, problemOf }: TabProps) {
  const t = useT('applicants')
  const lang = useLanguage()
  const { send } = useChange()
  const { declarations } = application.admission
  const [ticked, setTicked] = useState<ReadonlySet<number>>(
    new Set(application.declared ? declarations.map((_, i) => i) : []),
  )
  const tick = (i: number, on: boolean) => {
    const next = new Set(ticked)
    if (on) next.add(i)
    else next.delete(i)
    setTicked(next)
    const declared = next.size === declarations.length
    if (declared === application.declared) return
    hand.hold(
      send(calls.save, { params: { id: application.id, key: secret }, body: { declared } })
        .then(({ data }) => hand.setApplication(data))
        .catch((error: unknown) => notify.error(error)),
    )
  }
  if (declarations.length === 0) return <p className={css.lead}>{t('no_declarations')}</p>
  return (
    <fieldset className={css.declarations} disabled={!application.open}>
      {declarations.map((one, i) => (
        <Checkbox
          key={one.text}
          size="md"
          label={lang === 'ar' ? one.text_local : one.text}
          checked={ticked.has(i)}
          onChange={(event) => tick(i, event.currentTarget.checked)}
        />
      ))}
      {ticked.size > 0 && problemOf('declared') && <p className={css.wrong}>{problemOf('declared')}</p>}
    </fieldset>
  )
}
