import { Button, SegmentedControl, Select, TextInput, Textarea } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { LANGUAGES } from '#kit/contract/index.ts'
import { f } from '#kit/contract/field.ts'
import type { Language } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Coming } from '#kit/web/detail/parts.tsx'
import { Failed, confirm, notify } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { Code } from '#kit/web/feedback/words.tsx'
import type { FieldInput } from '#kit/web/fields/inputs.tsx'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form, useFormSet, useFormValues } from '#kit/web/form/form.tsx'
import { LANGUAGE_NAMES, formatInstant, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useSearchParams } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { FIRST_CHANGES, noticeTextCalls } from './notice-text.contract.ts'
import type { SaidText, TextDetail, TextKind } from './notice-text.contract.ts'
import css from './notice-texts.module.css'

/** Mails have names of their own; `mail.key` without the beginning. */
const MAILS = [
  'reset_password',
  'password_changed',
  'new_sign_in',
  'invitation',
  'notice',
  'notice_always',
  'digest',
] as const
type MailKey = (typeof MAILS)[number]

function useKindName(): (kind: Pick<TextKind, 'key' | 'title'>) => string {
  const t = useT('settings')
  return ({ key, title }) => {
    const mail = key.slice(5) as MailKey
    return title ?? (MAILS.includes(mail) ? t(`mail_${mail}`) : key)
  }
}

/** What the university says in notices and mails: chosen, written in each language, looked at, taken back. */
export default function NoticeTexts() {
  const t = useT('settings')
  const lang = useLanguage()
  const named = useKindName()
  const [query, setQuery] = useSearchParams()
  const { data, error, refetch } = useCall(noticeTextCalls.noticeTexts)
  const chosen = query.get('kind') ?? data?.data[0]?.key
  const given = query.get('lang')
  const language = LANGUAGES.find((one) => one === given) ?? lang
  const go = (kind: string, to: Language) => setQuery({ kind, lang: to }, { replace: true })
  return (
    <Page title={t('notice_texts')} wide={false}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data || chosen === undefined ? (
        <Coming />
      ) : (
        <div className={css.screen}>
          <p className={css.dim}>{t('notice_texts_text')}</p>
          <Select
            label={t('notice_kind')}
            searchable
            allowDeselect={false}
            value={chosen}
            data={data.data.map((kind) => ({
              value: kind.key,
              label: kind.own.length ? `${named(kind)} · ${t('notice_own')}` : named(kind),
            }))}
            onChange={(kind) => kind && go(kind, language)}
          />
          <SegmentedControl
            aria-label={t('notice_language')}
            value={language}
            data={LANGUAGES.map((one) => ({ value: one, label: LANGUAGE_NAMES[one] }))}
            onChange={(one) => go(chosen, one)}
          />
          <Kind key={chosen} kind={chosen} language={language} />
        </div>
      )}
    </Page>
  )
}

function Kind({ kind, language }: { kind: string; language: Language }) {
  const { most, more } = useMost(FIRST_CHANGES)
  const { data, error, refetch } = useCall(
    noticeTextCalls.noticeText,
    { params: { notice: kind }, query: { most } },
    { placeholderData: keepPreviousData },
  )
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Coming />
  const version = data.data.languages.find((one) => one.language === language)!.version
  return <Editor key={`${language} ${version}`} detail={data.data} language={language} onMore={more} />
}

type Direction = 'ltr' | 'rtl'
const directionOf = (language: Language): Direction => (language === 'ar' ? 'rtl' : 'ltr')
const formField = (form: string): string => `form_${form}`

/** Texts are typed in the language that they are said in, whatever the reader's is. */
const lineIn = (language: Language): FieldInput =>
  function LineIn({ field, defaultValue, onChange, onBlur, label, error, id, name }) {
    return (
      <TextInput
        {...{ label, error, id, name, onBlur }}
        maxLength={field.max}
        dir={directionOf(language)}
        lang={language}
        defaultValue={typeof defaultValue === 'string' ? defaultValue : ''}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
const linesIn = (language: Language, rows: number): FieldInput =>
  function LinesIn({ field, defaultValue, onChange, onBlur, label, error, id, name }) {
    return (
      <Textarea
        {...{ label, error, id, name, onBlur }}
        autosize
        minRows={rows}
        maxLength={field.max}
        dir={directionOf(language)}
        lang={language}
        defaultValue={typeof defaultValue === 'string' ? defaultValue : ''}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
const valuesOf = ({ subject, forms }: SaidText): Readonly<Record<string, string>> => ({
  subject,
  ...Object.fromEntries(Object.entries(forms).map(([form, text]) => [formField(form), text ?? ''])),
})

function Editor({
  detail,
  language,
  onMore,
}: {
  detail: TextDetail
  language: Language
  onMore: (() => void) | undefined
}) {
  const t = useT('settings')
  const { shipped, own, version } = detail.languages.find((one) => one.language === language)!
  const [preview, setPreview] = useState<Previewed | null>(null)
  const { send } = useChange('/notice-texts')
  const params = { notice: detail.key, language }
  const forms = Object.keys(shipped.forms)
  const lines = detail.lines ? 6 : 2
  const inputs = useMemo(
    () => ({
      subject: lineIn(language),
      ...Object.fromEntries(forms.map((form) => [formField(form), linesIn(language, lines)])),
    }),
    // The forms are those of the language.
    // oxlint-disable-next-line react-hooks/exhaustive-deps, react/memo-dependencies
    [language, lines],
  )
  const textOf = (values: Readonly<Record<string, unknown>>): SaidText => ({
    subject: String(values.subject),
    forms: Object.fromEntries(forms.map((form) => [form, String(values[formField(form)] ?? '')])),
  })
  const reset = () =>
    void confirm({
      title: t('notice_reset_question'),
      consequence: t('notice_reset_text'),
      action: t('notice_reset'),
      go: () => send(noticeTextCalls.resetNoticeText, { params, body: { version } }),
    })
  return (
    <>
      {detail.places.length > 0 && (
        <p className={css.dim}>
          {t('notice_places')}{' '}
          {detail.places.map(({ name }) => (
            <span key={name}>
              <Code>{`{${name}}`}</Code>{' '}
            </span>
          ))}
        </p>
      )}
      <Form
        fields={{
          subject: f.text(asLabel(t('notice_subject')), { required: true, max: 200 }),
          ...Object.fromEntries(
            forms.map((form) => [
              formField(form),
              f.longText(
                asLabel(
                  forms.length > 1
                    ? t('notice_text_form', { form: t(`form_${form as 'other'}_text`) })
                    : t('notice_text'),
                ),
                { required: true, max: 4000 },
              ),
            ]),
          ),
        }}
        values={valuesOf(own ?? shipped)}
        inputs={inputs}
        // Another language or kind is one press away: what was written of this one stays.
        draft={`notice ${detail.key} ${language}`}
        bar="dialog"
        submit={t('notice_save')}
        beside={
          own && (
            <Button variant="subtle" color="gray" onClick={reset}>
              {t('notice_reset')}
            </Button>
          )
        }
        also={[
          {
            label: t('notice_preview'),
            looks: true,
            onSave: async (values) => {
              const text = textOf(values)
              const { data } = await send(noticeTextCalls.previewNoticeText, { params, body: text })
              setPreview({ of: JSON.stringify(text), ...data })
            },
          },
        ]}
        onSave={async (values) => {
          await send(noticeTextCalls.saveNoticeText, { params, body: { ...textOf(values), version } })
        }}
        onSaved={() => notify.done(t('notice_saved'))}
        below={
          <>
            {preview && <Preview of={preview} language={language} textOf={textOf} />}
            <History detail={detail} language={language} onMore={onMore} />
          </>
        }
      >
        <Field name="subject" wide />
        {forms.map((form) => (
          <Field key={form} name={formField(form)} />
        ))}
      </Form>
    </>
  )
}

interface Previewed {
  /** The text that was looked at: changed since, it is another. */
  readonly of: string
  readonly app: string | null
  readonly subject: string
  readonly text: string
}

/** How it will be read; nothing once something else is written. */
function Preview({
  of,
  language,
  textOf,
}: {
  of: Previewed
  language: Language
  textOf: (values: Readonly<Record<string, unknown>>) => SaidText
}) {
  const t = useT('settings')
  const values = useFormValues()
  const dir = directionOf(language)
  if (JSON.stringify(textOf(values)) !== of.of) return null
  return (
    <section className={css.preview} aria-label={t('notice_preview')} aria-live="polite">
      {of.app !== null && (
        <>
          <h2>{t('notice_in_app')}</h2>
          <p dir={dir} lang={language}>
            {of.app}
          </p>
        </>
      )}
      <h2>{t('notice_as_mail')}</h2>
      <p dir={dir} lang={language}>
        <strong>{of.subject}</strong>
      </p>
      <p dir={dir} lang={language} className={css.mail}>
        {of.text}
      </p>
    </section>
  )
}

/** What was said before, each ready to be taken up again. */
function History({
  detail,
  language,
  onMore,
}: {
  detail: TextDetail
  language: Language
  onMore: (() => void) | undefined
}) {
  const t = useT('settings')
  const put = useFormSet()
  const rows = detail.history.filter((one) => one.language === language)
  if (!rows.length) return null
  const { changes } = detail.languages.find((one) => one.language === language)!
  return (
    <section aria-label={t('notice_history')}>
      <h2 className={css.head}>{t('notice_history')}</h2>
      <ul className={css.history}>
        {rows.map(({ version, at, by, text }) => (
          <li key={version}>
            <span className={css.dim}>
              <time dateTime={at}>{formatInstant(at)}</time>
              {by && (
                <>
                  {' · '}
                  <bdi>{by}</bdi>
                </>
              )}
            </span>
            <span dir="auto" className={css.was}>
              {text ? Object.values(text.forms).join(' · ') : t('notice_was_reset')}
            </span>
            {text && (
              <Button variant="subtle" color="gray" size="compact-sm" onClick={() => put(valuesOf(text))}>
                {t('notice_use')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <MoreRows shown={rows.length} total={changes} onMore={onMore} />
    </section>
  )
}
