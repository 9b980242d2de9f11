# ocgdedup on the files of a mounted folder:
#
#   docker build -t ocgdedup .
#   docker run --rm -v "$PWD:/games" ocgdedup run a.pgn b.pgn -o clean.pgn
#
# On Linux add -u "$(id -u):$(id -g)", so that the outputs are yours.
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev
COPY . /source
RUN pip wheel --no-cache-dir --wheel-dir /wheels "/source[parquet]"

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir /wheels/*.whl && rm -r /wheels
WORKDIR /games
ENTRYPOINT ["ocgdedup"]
CMD ["--help"]
