import { Button, SegmentedControl, Select, TextInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { LANGUAGES } from '#kit/contract/index.ts'
import type { Language } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Coming } from '#kit/web/detail/parts.tsx'
import { Failed, Problems, confirm, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { Code } from '#kit/web/feedback/words.tsx'
import { DraftOffer, useDraft } from '#kit/web/form/draft.tsx'
import { LANGUAGE_NAMES, formatInstant, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useSearchParams } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { noticeTextCalls } from './notice-text.contract.ts'
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
  const { data, error, refetch } = useCall(noticeTextCalls.noticeText, { params: { notice: kind } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Coming />
  const version = data.data.languages.find((one) => one.language === language)!.version
  return <Editor key={`${language} ${version}`} detail={data.data} language={language} />
}

function Editor({ detail, language }: { detail: TextDetail; language: Language }) {
  const t = useT('settings')
  const k = useT('kit-screens')
  const { shipped, own, version } = detail.languages.find((one) => one.language === language)!
  const [text, setText] = useState<SaidText>(own ?? shipped)
  const [preview, setPreview] = useState<{ app: string | null; subject: string; text: string } | null>(null)
  const { busy, problem, go, send } = useChange('/notice-texts')
  const params = { notice: detail.key, language }
  const dir = language === 'ar' ? 'rtl' : 'ltr'
  const forms = Object.keys(shipped.forms)
  const same = JSON.stringify(text) === JSON.stringify(own ?? shipped)
  const set = (change: SaidText) => {
    setText(change)
    setPreview(null)
  }
  // Another language or kind is one press away: what was written of this one stays.
  const draft = useDraft(`notice ${detail.key} ${language}`, same ? null : text, (kept) =>
    set({ ...(own ?? shipped), ...kept }),
  )
  const save = async () => {
    const done = await go(() => send(noticeTextCalls.saveNoticeText, { params, body: { ...text, version } }))
    if (!done) return
    draft.sent()
    notify.done(t('notice_saved'))
  }
  const look = async () => {
    const done = await go(() => send(noticeTextCalls.previewNoticeText, { params, body: text }))
    setPreview(done && done.answer.data)
  }
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <DraftOffer of={draft} />
      {problem !== null && <Problems error={problem} />}
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
      <TextInput
        label={t('notice_subject')}
        required
        maxLength={200}
        dir={dir}
        lang={language}
        value={text.subject}
        onChange={(event) => set({ ...text, subject: event.currentTarget.value })}
      />
      {forms.map((form) => (
        <Textarea
          key={form}
          label={
            forms.length > 1 ? t('notice_text_form', { form: t(`form_${form as 'other'}_text`) }) : t('notice_text')
          }
          required
          autosize
          minRows={detail.lines ? 6 : 2}
          maxLength={4000}
          dir={dir}
          lang={language}
          value={text.forms[form] ?? ''}
          onChange={(event) => set({ ...text, forms: { ...text.forms, [form]: event.currentTarget.value } })}
        />
      ))}
      <div className={css.buttons}>
        <Submit type="submit" loading={busy} missing={[same && k('nothing_changed')]}>
          {t('notice_save')}
        </Submit>
        <Button variant="default" disabled={busy} onClick={() => void look()}>
          {t('notice_preview')}
        </Button>
        {own && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() =>
              void confirm({
                title: t('notice_reset_question'),
                consequence: t('notice_reset_text'),
                action: t('notice_reset'),
                go: () => send(noticeTextCalls.resetNoticeText, { params, body: { version } }),
              })
            }
          >
            {t('notice_reset')}
          </Button>
        )}
      </div>
      {preview && (
        <section className={css.preview} aria-label={t('notice_preview')} aria-live="polite">
          {preview.app !== null && (
            <>
              <h2>{t('notice_in_app')}</h2>
              <p dir={dir} lang={language}>
                {preview.app}
              </p>
            </>
          )}
          <h2>{t('notice_as_mail')}</h2>
          <p dir={dir} lang={language}>
            <strong>{preview.subject}</strong>
          </p>
          <p dir={dir} lang={language} className={css.mail}>
            {preview.text}
          </p>
        </section>
      )}
      <History detail={detail} language={language} use={set} />
    </form>
  )
}

/** What was said before, each ready to be taken up again. */
function History({ detail, language, use }: { detail: TextDetail; language: Language; use: (text: SaidText) => void }) {
  const t = useT('settings')
  const rows = detail.history.filter((one) => one.language === language)
  if (!rows.length) return null
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
              <Button variant="subtle" color="gray" size="compact-sm" onClick={() => use(text)}>
                {t('notice_use')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
