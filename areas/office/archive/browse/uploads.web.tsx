import { ActionIcon, Button, Progress } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import type { Change } from '#kit/web/api/index.ts'
import { Bdi, Problems, Status } from '#kit/web/feedback/index.ts'
import { formatBytes, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import css from './archive.module.css'
import {
  forgetDone,
  forgetSending,
  pauseAll,
  pauseSending,
  resumeAll,
  resumeSending,
  useSendings,
} from './queue.web.ts'

/** Files on their way: how far each is, with pause, going on, and why one was refused. */
export function Uploads({ change }: { change: Pick<Change, 'go' | 'send'> }) {
  const t = useT('archive')
  const list = useSendings()
  if (!list.length) return null
  const bytes = list.reduce((sum, { file }) => sum + file.size, 0)
  const sent = list.reduce(
    (sum, { file, percent, state }) => sum + (file.size * (state === 'done' ? 100 : percent)) / 100,
    0,
  )
  const done = list.filter(({ state }) => state === 'done').length
  const goesOn = list.some(({ state }) => state === 'running' || state === 'waiting')
  const waits = list.some(({ state }) => state === 'paused')
  return (
    <Card
      title={t('uploads')}
      aside={
        <div className={css.uploadsAll}>
          <span className={css.dim}>
            {t('uploads_told', { done, count: list.length })} · {formatBytes(sent)} / {formatBytes(bytes)}
          </span>
          {goesOn && list.length > 1 && (
            <Button size="compact-xs" variant="default" onClick={pauseAll}>
              {t('pause_all')}
            </Button>
          )}
          {waits && (
            <Button size="compact-xs" variant="default" onClick={() => resumeAll(change)}>
              {t('resume_all')}
            </Button>
          )}
          {done > 0 && (
            <Button size="compact-xs" variant="default" onClick={forgetDone}>
              {t('forget_done')}
            </Button>
          )}
        </div>
      }
    >
      {list.length > 1 && goesOn && (
        <Progress value={bytes ? (sent / bytes) * 100 : 0} mb={8} aria-label={t('uploads')} />
      )}
      <ul className={css.uploads} aria-label={t('uploads')}>
        {list.map(({ id, file, path, state, percent, problem }) => (
          <li key={id}>
            <div className={css.upload}>
              <Bdi className={css.grow}>{path ? `${path}/${file.name}` : file.name}</Bdi>
              <span className={css.dim}>{formatBytes(file.size)}</span>
              <Status is={`upload_${state}`} label={state === 'running' ? `${percent} %` : t(`upload_${state}`)} />
              {state === 'running' && (
                <ActionIcon
                  variant="subtle"
                  aria-label={t('pause', { name: file.name })}
                  onClick={() => pauseSending(id)}
                >
                  <IconPlayerPause size={16} aria-hidden />
                </ActionIcon>
              )}
              {(state === 'paused' || state === 'failed') && (
                <ActionIcon
                  variant="subtle"
                  aria-label={t('resume', { name: file.name })}
                  onClick={() => resumeSending(id, change)}
                >
                  <IconPlayerPlay size={16} aria-hidden />
                </ActionIcon>
              )}
              <ActionIcon
                variant="subtle"
                aria-label={t('forget', { name: file.name })}
                onClick={() => forgetSending(id)}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </div>
            {state === 'running' && (
              <Progress value={percent} size="xs" aria-label={t('uploading', { name: file.name })} />
            )}
            {problem !== null && <Problems error={problem} />}
          </li>
        ))}
      </ul>
    </Card>
  )
}
