package file

import "streamsql/connector"

func newSink(connector.SinkSpec, *connector.Options) (connector.Sink, error) { return nil, nil }
