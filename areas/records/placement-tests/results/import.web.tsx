import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { useCall, type Change } from '#kit/web/api/index.ts'
import { Code, Failed } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useHandIn, type HandInWays } from '#kit/web/imports/hand-in.tsx'
import { UndoNotice } from '#kit/web/imports/undo.tsx'
import { Link, to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { placementTestCalls as calls } from '../tests/test.contract.ts'
import css from '../placement-tests.module.css'

/** So many records that the tests touch are named. */
const TOUCHED = 100

type Stored = ResponseOf<typeof calls.saveResults>['data']
const ways =
  (id: number) =>
  (send: Change['send']): HandInWays<Stored> => ({
    preview: async (file, onProgress) => (await send(calls.previewResults, { params: { id }, file, onProgress })).data,
    lines: async (import_id, body) => (await send(calls.previewLines, { params: { id, import_id }, body })).data,
    mend: async (import_id, body) => (await send(calls.mendResults, { params: { id, import_id }, body })).data,
    save: async (import_id) => (await send(calls.saveResults, { params: { id, import_id } })).data,
  })

/** A sheet of results beside those that stand there, then all of it or nothing; and Undo. */
export default function ImportResults() {
  const t = useT('placement-tests')
  const kit = useT('kit')
  const lang = useLanguage()
  const navigate = useNavigate()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.item, { params: { id } })
  const test = data?.data
  const [stored, setStored] = useState<Stored | null>(null)
  const { drop, review } = useHandIn(ways(id), {
    text: t('import_drop'),
    refreshes: ['/placement_test', '/placement-tests', '/placement-results', '/operations'],
    onSaved: setStored,
  })
  const back = to('/settings/placement_test/show/:id', { id })
  if (error && !test)
    return (
      <Page title={undefined}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  return (
    <Page title={test ? t('import_title', { test: nameOf(test, lang) }) : undefined}>
      {!test ? (
        <Bone />
      ) : stored ? (
        <Card>
          <UndoNotice
            text={t('stored_count', { count: stored.stored })}
            operation={stored.operation_id}
            onUndone={() => void navigate(back)}
          />
          {stored.touched.length > 0 && (
            <>
              <h3>{t('sheet_touches')}</h3>
              <ul className={css.list}>
                {stored.touched.slice(0, TOUCHED).map((one) => (
                  <li key={`${one.student.id} ${one.course.id}`}>
                    <Code>{one.student.code}</Code> <bdi>{nameOf(one.student, lang)}</bdi>:{' '}
                    {t(one.code === 'placement_above' ? 'touched_above' : 'touched_excused', {
                      course: one.course.code ?? nameOf(one.course, lang),
                    })}
                  </li>
                ))}
                {stored.touched.length > TOUCHED && (
                  <li>{kit('and_more', { count: stored.touched.length - TOUCHED })}</li>
                )}
              </ul>
            </>
          )}
          <Button component={Link} to={back}>
            {t('import_back')}
          </Button>
        </Card>
      ) : !review ? (
        <Stack>
          <p className={css.dim}>{t('import_text')}</p>
          {drop}
        </Stack>
      ) : (
        <Card>{review}</Card>
      )}
    </Page>
  )
}
