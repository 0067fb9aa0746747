import { useState } from 'react'
import { Button } from '@mantine/core'
import { f } from '#kit/contract/field.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Bdi, Failed, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { RichTextInput } from '#kit/web/fields/rich-input.tsx'
import { sanitise } from '#kit/web/fields/rich.ts'
import { otherNameOf, useT } from '#kit/web/i18n/index.ts'
import { Link, forgetUnsaved, useParams, useUnsaved } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import css from '../browse/archive.module.css'
import type { WholeEntry } from '../browse/kinds.web.tsx'
import { ROOT } from '../entry.contract.ts'
import { treeCalls } from '../tree/tree.contract.ts'
import { pageCalls } from './pages.contract.ts'

const FIELD = f.richText(['Text', 'النص'])
const LANGUAGES = ['ar', 'en'] as const
type PageLanguage = (typeof LANGUAGES)[number]

/** Both texts of a page, side by side, written or read. */
function Texts({ entry }: { entry: WholeEntry }) {
  const t = useT('archive')
  const k = useT('kit-screens')
  const { busy, problem, go, send } = useChange('/archive')
  const [drafts, setDrafts] = useState<Partial<Record<PageLanguage, string>>>({})
  const open = Object.keys(drafts).length > 0
  useUnsaved(open)
  const textOf = (language: PageLanguage) => entry.pages.find((page) => page.language === language)
  const writes = entry.abilities.includes('edit')
  const save = async () => {
    const done = await go(async () => {
      for (const language of LANGUAGES) {
        const body = drafts[language]
        if (body === undefined) continue
        const version = textOf(language)?.version ?? 0
        await send(pageCalls.updatePage, { params: { id: entry.id }, body: { body, language, version } })
        setDrafts(({ [language]: _saved, ...rest }) => rest)
      }
    })
    if (!done) return
    forgetUnsaved()
    notify.done(t('page_saved'))
  }
  return (
    <>
      <div className={css.editors}>
        {LANGUAGES.map((language) => {
          const label = t(language === 'ar' ? 'page_arabic' : 'page_english')
          const body = textOf(language)?.body ?? ''
          return writes ? (
            <Card key={language} changed={drafts[language] !== undefined}>
              <RichTextInput
                field={FIELD}
                name={language}
                label={label}
                defaultValue={body}
                disabled={busy}
                onChange={(value) => setDrafts((all) => ({ ...all, [language]: String(value ?? '') }))}
              />
            </Card>
          ) : (
            <Card key={language} title={label}>
              {body ? (
                // Only allowed elements are left.
                <div
                  className={css.text}
                  lang={language}
                  dir={language === 'ar' ? 'rtl' : 'ltr'}
                  dangerouslySetInnerHTML={{ __html: sanitise(body) }}
                />
              ) : (
                <p className={css.dim}>{t('page_empty')}</p>
              )}
            </Card>
          )
        })}
      </div>
      {problem !== null && <Problems error={problem} />}
      {writes && (
        <div className={css.bar}>
          <Submit loading={busy} missing={[!open && k('nothing_changed')]} onClick={() => void save()}>
            {t('save')}
          </Submit>
        </div>
      )}
    </>
  )
}

/** A page of the archive in its two languages. */
export default function Editor() {
  const id = Number(useParams().id)
  const t = useT('archive')
  const { data, error, refetch } = useCall(treeCalls.getArchive, { params: { id } })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  const entry = data?.data
  return (
    <Page
      title={entry}
      subtitle={(entry && otherNameOf(entry)) ?? '\u00A0'}
      action={
        entry && (
          <Button
            variant="default"
            component={Link}
            to={entry.parent_id === ROOT ? '/archives' : `/archives?folder=${entry.parent_id}`}
          >
            <Bdi>{t('to_folder')}</Bdi>
          </Button>
        )
      }
    >
      {entry ? <Texts key={entry.id} entry={entry} /> : <Bone height={360} />}
    </Page>
  )
}
