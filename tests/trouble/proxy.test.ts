import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashPassword } from '#kit/server/identity/passwords.ts'
import { AREA_SERVERS } from '../../apps/server/areas.server.ts'
import { testUniversity } from '../university.ts'
import type { TestUniversity } from '../university.ts'

/** Behind a reverse proxy each person has the own address, and cannot take another's. */
const PASSWORD = 'four loud mountains'
let u: TestUniversity
let proxy: http.Server

/** As reverse proxies do it: what came with the request stays, and the address it came from is added. */
function startProxy(target: string): http.Server {
  const { hostname, port } = new URL(target)
  return http
    .createServer((request, response) => {
      const before = request.headers['x-forwarded-for']
      const headers = {
        ...request.headers,
        'x-forwarded-for': [before, request.socket.remoteAddress].filter(Boolean).join(', '),
      }
      const onward = http.request({ hostname, port, path: request.url, method: request.method, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      })
      onward.on('error', () => response.writeHead(502).end())
      request.pipe(onward)
    })
    .listen(0, '127.0.0.1')
}

/** Signs in through the proxy, from one of the addresses of this machine. */
async function signIn(from: string, email: string, password: string, more: Record<string, string> = {}) {
  const body = JSON.stringify({ email, password })
  const request = http.request({
    host: '127.0.0.1',
    port: (proxy.address() as AddressInfo).port,
    localAddress: from,
    path: '/api/login',
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...more },
  })
  request.end(body)
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  answer.resume()
  return answer.statusCode
}

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { env: { TRUST_PROXY: '1', HOST: '127.0.0.1', PORT: '0' } })
  proxy = startProxy(await u.listen())
  await once(proxy, 'listening')
  const hash = await hashPassword(PASSWORD)
  for (const name of ['a', 'b'])
    await u.database.pool.query(
      `insert into users (type, name, name_local, email, password_hash) values (2, $1, $1, $1 || '@university.example', $2)`,
      [name, hash],
    )
}, 180_000)
afterAll(async () => {
  proxy?.close()
  proxy?.closeAllConnections()
  await u?.close()
})

// Other systems have one loopback address only.
it.skipIf(process.platform !== 'linux')(
  '300 wrong passwords from one address shut sign-in there, not for others, whatever address is pretended',
  async () => {
    for (let n = 0; n < 6; n++) {
      const pretended = {
        'x-forwarded-for': `203.0.113.${n}`,
        'x-real-ip': '203.0.113.9',
        forwarded: 'for=203.0.113.8',
      }
      expect(await signIn('127.0.0.2', `nobody${n}@university.example`, 'wrong', pretended)).toBe(401)
    }
    const counted = await u.database.pool.query(
      `select key, failures from login_attempts where key like 'login address %'`,
    )
    expect(counted.rows).toEqual([{ key: 'login address 127.0.0.2', failures: 6 }])
    // The other 294 are only counted, to spare the time of hashing.
    await u.database.pool.query(`update login_attempts set failures = 299 where key = 'login address 127.0.0.2'`)
    for (const n of [6, 7, 8])
      await signIn('127.0.0.2', `nobody${n}@university.example`, 'wrong', { 'x-forwarded-for': `203.0.113.${n}` })
    expect(await signIn('127.0.0.2', 'a@university.example', PASSWORD)).toBe(429)
    expect(await signIn('127.0.0.2', 'a@university.example', PASSWORD, { 'x-forwarded-for': '198.51.100.7' })).toBe(429)
    expect(await signIn('127.0.0.3', 'b@university.example', PASSWORD)).toBe(200)
    // Nor does it count against another to pretend to be that one.
    const seen = await u.database.pool.query(`select host(ip) as ip from last_logins`)
    expect(seen.rows).toEqual([{ ip: '127.0.0.3' }])
  },
  40_000,
)
