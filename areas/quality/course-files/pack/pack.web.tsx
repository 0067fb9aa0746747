import { Anchor, Modal } from '@mantine/core'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Failed } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatBytes, formatInstant, formatPercent, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { PACK_DAYS, packCalls, type MadePack } from './pack.contract.ts'
import css from '../course-files.module.css'

/** One ZIP of a program and its years, made by a job that goes on when this is closed; fetched here for some days. */
export function PackDialog({ onClose }: { onClose: () => void }) {
  const t = useT('course-files')
  const lang = useLanguage()
  const { send } = useChange('/jobs', '/courseFile/packs')
  const [job, setJob] = useState<string | null>(null)
  const [made, setMade] = useState<MadePack | null>(null)
  return (
    <Modal opened onClose={onClose} title={t('pack')}>
      <div className={css.say}>
        <p className={css.text}>{t('pack_text', { days: PACK_DAYS })}</p>
        {job === null ? (
          <Form
            bar="dialog"
            submit={t('pack_begin')}
            onCancel={onClose}
            fields={{
              program_id: f.lookup(['Program', 'البرنامج'], 'program', { required: true }),
              from_year_id: f.lookup(['From year', 'من عام'], 'year', { required: true }),
              to_year_id: f.lookup(['To year', 'إلى عام'], 'year', { required: true }),
            }}
            onSave={({ program_id, from_year_id, to_year_id }) =>
              send(packCalls.makePack, {
                body: {
                  program_id: Number(program_id),
                  from_year_id: Number(from_year_id),
                  to_year_id: Number(to_year_id),
                  lang: lang === 'ar' ? 'ar' : 'en',
                },
              })
            }
            onSaved={({ job_id }) => setJob(job_id)}
          />
        ) : made === null ? (
          <ProgressJob id={job} label={t('pack_working')} onDone={(result) => setMade(result as MadePack)} />
        ) : (
          <p role="status">
            {t('pack_ready')} <Anchor href={made.url}>{t('pack_download', { name: made.name })}</Anchor>{' '}
            {t('pack_until', { time: formatInstant(made.until) })}
          </p>
        )}
        {job === null && <MyPacks />}
      </div>
    </Modal>
  )
}

/** Packs that were asked for: how far they are, or until when they can be fetched. */
function MyPacks() {
  const t = useT('course-files')
  const { data, error, refetch } = useCall(
    packCalls.packs,
    {},
    {
      refetchInterval: ({ state }) => (state.data?.data.some(({ until }) => until === null) ? 3000 : false),
    },
  )
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={60} />
  if (!data.data.length) return null
  return (
    <section aria-label={t('my_packs')}>
      <h3 className={css.packsHead}>{t('my_packs')}</h3>
      <ul className={css.packs}>
        {data.data.map((one) => (
          <li key={one.id}>
            <span>
              {one.until === null ? (
                <bdi>{nameOf(one.program)}</bdi>
              ) : (
                <Anchor href={`/api/courseFile/pack/${one.id}/file`}>
                  {t('pack_download', { name: nameOf(one.program) })}
                </Anchor>
              )}
              <small>
                {t('pack_years', { from: nameOf(one.from_year), to: nameOf(one.to_year) })}
                {one.size !== null && ` · ${formatBytes(one.size)}`}
              </small>
            </span>
            <small>
              {one.until === null
                ? t('pack_share', { share: formatPercent(one.items ? one.done / one.items : 0) })
                : t('pack_until', { time: formatInstant(one.until) })}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}
