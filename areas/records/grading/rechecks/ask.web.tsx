import { Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Empty, Failed, Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { DraftOffer, useDraft } from '#kit/web/form/draft.tsx'
import { useLeast } from '#kit/web/form/least.ts'
import { nameOf, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { forgetUnsaved, to, useNavigate } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { recheckCalls } from './recheck.contract.ts'
import css from './rechecks.module.css'

/** Asks for a mark to be looked at again: a student for an own one, a teacher for one that is wrong. */
export default function AskAboutMark() {
  const t = useT('grading')
  const k = useT('kit-screens')
  const lang = useLanguage()
  const own = useMe().user.student_id !== null
  const navigate = useNavigate()
  const { send } = useChange('/grades-recheck')
  const [offering, setOffering] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [why, setWhy] = useState('')
  const ofWhy = useLeast(why, 3)
  const [error, setError] = useState<unknown>(null)
  const draft = useDraft('recheck', why.trim() ? { offering, chosen, why } : null, (kept) => {
    setOffering(kept.offering ?? null)
    setChosen(kept.chosen ?? null)
    setWhy(kept.why ?? '')
  })
  const asked = useCall(recheckCalls.marks, { query: offering ? { offering_id: Number(offering) } : {} })
  const answer = asked.data?.data
  if (asked.error && !answer) return <Failed error={asked.error} retry={() => void asked.refetch()} />
  const marks = answer?.marks ?? []
  const teaches = (answer?.offerings.length ?? 0) > 0
  const one = marks.find((mark) => `${mark.registration_id}/${mark.offering_mark_id}` === chosen)
  const name = (mark: (typeof marks)[number]) =>
    [
      teaches
        ? `${mark.student.code ?? ''} ${nameOf(mark.student, lang)}`
        : `${mark.course.code ?? ''} ${nameOf(mark.course, lang)}`,
      nameOf(mark.category, lang),
      `${mark.mark === 'A' ? t('absent_short') : (mark.mark ?? '–')} / ${mark.max}`,
    ].join(' · ')
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!one) return
    try {
      const { data } = await send(recheckCalls.ask, {
        body: { registration_id: one.registration_id, offering_mark_id: one.offering_mark_id, why },
      })
      draft.sent()
      forgetUnsaved()
      void navigate(to('/correction_requests/:id', { id: data.id }))
    } catch (problem) {
      setError(problem)
    }
  }
  return (
    <Page title={t('ask_about_mark')}>
      {!answer ? (
        <Bone height={260} />
      ) : !teaches && !marks.length ? (
        <Empty title={t('no_marks_to_ask')} text={t(own ? 'no_marks_to_ask_text' : 'no_marks_to_correct_text')} />
      ) : (
        <Card>
          <form className={css.form} onSubmit={(event) => void save(event)}>
            <DraftOffer of={draft} />
            {teaches && (
              <Select
                searchable
                label={t('course')}
                data={answer.offerings.map((row) => ({
                  value: String(row.id),
                  label: `${row.course.code ?? ''} (${row.code ?? ''}) ${nameOf(row.course, lang)}`,
                }))}
                value={offering}
                onChange={(value) => {
                  setOffering(value)
                  setChosen(null)
                }}
              />
            )}
            <Select
              searchable
              label={t('mark')}
              disabled={!marks.length}
              data={marks.map((mark) => ({
                value: `${mark.registration_id}/${mark.offering_mark_id}`,
                label: name(mark),
              }))}
              value={chosen}
              error={one?.refused.map((reason) => problemText(reason)).join(' ')}
              onChange={setChosen}
            />
            <Textarea
              label={t('what_is_wrong')}
              {...ofWhy}
              autosize
              minRows={3}
              maxLength={2000}
              value={why}
              onChange={(event) => setWhy(event.currentTarget.value)}
            />
            {error !== null && <Problems error={error} />}
            <div className={css.actions}>
              <Submit
                type="submit"
                missing={[
                  teaches && offering === null && t('course'),
                  !one && t('mark'),
                  one && one.refused.length > 0 && k('solve_first'),
                  why.trim().length < 3 && t('what_is_wrong'),
                ]}
              >
                {t('send_request')}
              </Submit>
            </div>
          </form>
        </Card>
      )}
    </Page>
  )
}
