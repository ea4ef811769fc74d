import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ask, type Json } from './mcp-messages.ts';

const complete = async (name: string, argument: string, value = ''): Promise<unknown> => {
  const ref = { type: 'ref/prompt', name };
  const { result } = await ask('completion/complete', { ref, argument: { name: argument, value } });
  return (result['completion'] as Json)['values'];
};

it('a prompt refuses a value that its tool would refuse, and says which there are', async () => {
  const { error } = await ask('prompts/get', { name: 'write_robots_txt', arguments: { training: 'maybe' } });
  assert.equal(error.code, -32602);
  assert.match(error.message, /^The argument training is not one of yes, no: /);
  const { result } = await ask('prompts/get', { name: 'write_robots_txt', arguments: { training: 'no' } });
  assert.match(JSON.stringify(result), /training=no, search=yes/);
});

it('the list of prompts tells of an argument what the protocol has for it', async () => {
  const { result } = await ask('prompts/list');
  for (const { arguments: given } of result['prompts'] as { arguments: Json[] }[]) {
    for (const argument of given) {
      assert.deepEqual(Object.keys(argument), ['name', 'description', 'required']);
    }
  }
});

it('completion knows the arguments of a prompt, and nothing of a prompt that is none', async () => {
  assert.deepEqual(await complete('write_robots_txt', 'training'), ['yes', 'no']);
  assert.deepEqual(await complete('write_robots_txt', 'search', 'Y'), ['yes']);
  assert.deepEqual(await complete('write_robots_txt', 'zz'), []);
  assert.deepEqual(await complete('zz', 'training'), []);
});

for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
  it(`${method} refuses a cursor that it never gave`, async () => {
    const { error } = await ask(method, { cursor: 'zzz' });
    assert.equal(error.code, -32602);
    assert.match(error.message, /Ask without one/);
  });
}
