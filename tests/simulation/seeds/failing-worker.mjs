/** A worker of `parallel-run.test.ts`, which fails in its second history. */
process.on('message', ({ from }) => {
  process.send({ type: 'begins', seed: from });
  process.send({ type: 'begins', seed: from + 1 });
  throw new Error('The disk of the tablet is gone');
});
process.send({ type: 'ready' });
