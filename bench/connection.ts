import { once } from 'node:events'
import { connect } from 'node:net'

/** One kept connection on which GET requests follow each other. */
export interface Connection {
  get(path: string): Promise<{ status: number; text: string }>
  close(): void
}

const HEAD_END = '\r\n\r\n'

/**
 * A connection that costs the bench little more than the driver of the database does, so that what is compared is the server and
 * not its client: undici takes 0.06 ms for an answer that the server takes 0.1 for. It reads answers with a `content-length` alone.
 */
export async function openConnection(origin: string): Promise<Connection> {
  const { hostname, port, host } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.setEncoding('latin1')
  await once(socket, 'connect')
  let waiting: { resolve: (answer: { status: number; text: string }) => void; reject: (error: Error) => void } | null =
    null
  let read = ''
  socket.on('data', (part: string) => {
    read = read ? read + part : part
    const head = read.indexOf(HEAD_END)
    if (head < 0) return
    const length = /\r\ncontent-length: (\d+)/i.exec(read.slice(0, head + 2))
    if (!length) return void socket.destroy(new Error(`An answer without a length: ${read.slice(0, 300)}`))
    const from = head + HEAD_END.length
    if (read.length < from + Number(length[1])) return
    const answer = { status: Number(read.slice(9, 12)), text: read.slice(from) }
    read = ''
    const asked = waiting
    waiting = null
    asked?.resolve(answer)
  })
  socket.on('close', () => waiting?.reject(new Error('The connection was closed')))
  socket.on('error', (error) => waiting?.reject(error))
  return {
    get: (path) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
      }),
    close: () => socket.destroy(),
  }
}
